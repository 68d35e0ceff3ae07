export { type ReviewFrontend, type ReviewFrontendOptions, startReviewFrontend } from "./review-frontend.ts";
