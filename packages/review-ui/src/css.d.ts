/** The build bundles style sheets. */
declare module "*.css";
