import type { ComponentProps } from "preact";

/** Outlines on a grid of 16, drawn for this page. */
const paths = {
  add: "M8 3.500v9M3.500 8h9",
  blank: "M3 8h.01M6.500 8H13M10.500 5.500 13 8l-2.500 2.500",
  check: "m3.500 8.500 3 3 6-7",
  chevron: "m6 4 4 4-4 4",
  close: "m4.500 4.500 7 7m0-7-7 7",
  comment: "M2.500 3.500h11v7.500H7l-3 2.500V11H2.500z",
  copy: "M5.500 5.500h7.500v8h-7.500zM3 10.500v-8h7.500",
  down: "m4 6 4 4 4-4",
  file: "M4.500 2.500h4.500l3 3v8h-7.500zM9 2.500v3h3",
  folder: "M2.500 4.500h4l1.500 1.500h5.500v6.500h-11z",
  keyboard: "M2 4.500h12v7.500H2zM4.500 7h.01M7 7h.01M9.500 7h.01M12 7h.01M5 9.700h6",
  moon: "M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500Z",
  panelLeft: "M2.500 3.500h11v9h-11zM6.200 3.500v9",
  panelRight: "M2.500 3.500h11v9h-11zM9.800 3.500v9",
  rendered: "M2 4h12v8H2zM4.500 9.500v-3l1.700 2 1.700-2v3M11 6.500v3m-1.300-1.200L11 9.600l1.300-1.300",
  search: "M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9Zm3.300-1.200 3.200 3.200",
  send: "M2.500 7.300 13.500 2.500 10.300 13.500 7.600 8.800zM7.600 8.800 13.500 2.500",
  split: "M2.500 3.500h11v9h-11zM8 3.500v9",
  sun: "M8 10.700a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400ZM8 1.800v1.400M8 12.800v1.400M1.800 8h1.400M12.800 8h1.400M3.600 3.600l1 1M11.400 11.400l1 1M3.600 12.400l1-1M11.400 4.600l1-1",
  unified: "M2.500 3.500h11v9h-11zM5 6.500h6M5 9.500h6",
  up: "m4 10 4-4 4 4",
  warning: "M8 2.500 14 13H2zM8 6.500v3M8 11.300h.01",
  wrap: "M2.500 4.500h11M2.500 8h8.700a2 2 0 0 1 0 4H8.500m1.500-1.500L8.500 12l1.500 1.500M2.500 12h3",
} as const;

export type IconName = keyof typeof paths;

/** An icon next to a text or in a labelled button. Screen readers ignore it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.300"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

interface IconButtonProps extends ComponentProps<"button"> {
  readonly icon: IconName;
  /** For the tooltip and for screen readers. */
  readonly label: string;
}

export function IconButton({ icon, label, ...props }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...props}>
      <Icon name={icon} />
    </button>
  );
}
