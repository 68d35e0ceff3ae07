import { EditorView } from "@codemirror/view";

/** CodeMirror puts its styles into the page as `<style>`, which the page's policy allows with this nonce only. */
export const cspNonce = EditorView.cspNonce.of(
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "",
);
