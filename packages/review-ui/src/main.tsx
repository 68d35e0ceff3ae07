import { render } from "preact";
import { App } from "./components/app.tsx";
import { createReview } from "./model/review.ts";
import { listenToShortcuts } from "./model/shortcuts.ts";
import { followTheme } from "./model/theme.ts";
import { ReviewContext } from "./review-context.ts";
import "./styles/index.css";

const review = createReview();
followTheme(review.preferences.theme);
listenToShortcuts(review);

const place = document.getElementById("app");
if (place) {
  render(
    <ReviewContext.Provider value={review}>
      <App />
    </ReviewContext.Provider>,
    place,
  );
}
