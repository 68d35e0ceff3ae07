export { type ReviewDoor, type ReviewDoorOptions, startReviewDoor } from "./review-door.ts";
