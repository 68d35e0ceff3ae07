export { type KakouneDoorOptions, startKakouneDoor } from "./kakoune-door.ts";
