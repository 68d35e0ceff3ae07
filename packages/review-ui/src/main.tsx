import { render } from "preact";
import { App } from "./components/app.tsx";
import { chooseLanguage, loadWording } from "./language/language.ts";
import { followCodeSize, followTheme, recall } from "./model/preferences.ts";
import { createReview } from "./model/review.ts";
import { listenToShortcuts } from "./model/shortcuts.ts";
import { ReviewContext } from "./review-context.ts";
import "./styles/index.css";

const language = chooseLanguage(recall(localStorage, "language"), navigator.languages);
document.documentElement.lang = language;
const review = createReview(await loadWording(language));
followTheme(review.preferences.theme);
followCodeSize(review.preferences.codeSize);
listenToShortcuts(review);
// Without a selection in the page each editor looks for one after each update, and the browser lays all out for that.
if (!getSelection()?.anchorNode) getSelection()?.collapse(document.body);

const root = document.getElementById("app");
if (root) {
  render(
    <ReviewContext.Provider value={review}>
      <App />
    </ReviewContext.Provider>,
    root,
  );
}
