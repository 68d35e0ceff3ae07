import { withBase } from "vitepress";
import theme from "vitepress/theme";
import { landingOf } from "../../languages.mjs";
import "./style.css";

export default {
  extends: theme,
  enhanceApp({ router, siteData }) {
    if (import.meta.env.SSR) return;
    const { base, locales } = siteData.value;
    const sidebars = Object.fromEntries(
      Object.entries(locales).map(([name, { themeConfig }]) => [name, themeConfig.sidebar]),
    );
    router.onBeforeRouteChange = (to) => {
      const landing = landingOf(to.slice(base.length - 1), sidebars);
      if (landing === undefined) return true;
      router.go(withBase(landing));
      return false;
    };
  },
};
