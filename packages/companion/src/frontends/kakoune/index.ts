export { type KakouneFrontendOptions, startKakouneFrontend } from "./kakoune-frontend.ts";
