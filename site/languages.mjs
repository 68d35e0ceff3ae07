/**
 * The languages of the site: English, and those of which docs/ has a folder with translated pages.
 * `theme` and `search` are VitePress's texts.
 */
export const languages = [
  {
    label: "English",
    lang: "en",
    texts: { start: "Start", editors: "Editors", reference: "Reference", matrix: "Works with …", theme: {} },
  },
  {
    folder: "zh-CN",
    label: "简体中文",
    lang: "zh-CN",
    texts: {
      start: "入门",
      editors: "编辑器",
      reference: "参考（英文）",
      matrix: "兼容一览（英文）",
      theme: {
        outline: { level: [2, 3], label: "本页内容" },
        docFooter: { prev: "上一页", next: "下一页" },
        darkModeSwitchLabel: "主题",
        lightModeSwitchTitle: "切换到浅色主题",
        darkModeSwitchTitle: "切换到深色主题",
        sidebarMenuLabel: "目录",
        returnToTopLabel: "返回顶部",
        langMenuLabel: "更改语言",
        skipToContentLabel: "跳到正文",
      },
      search: {
        button: { buttonText: "搜索", buttonAriaLabel: "搜索" },
        modal: {
          noResultsText: "没有结果：",
          resetButtonTitle: "清除",
          footer: { selectText: "选择", navigateText: "切换", closeText: "关闭" },
        },
      },
    },
  },
  {
    folder: "zh-TW",
    label: "繁體中文",
    lang: "zh-TW",
    texts: {
      start: "入門",
      editors: "編輯器",
      reference: "參考（英文）",
      matrix: "相容一覽（英文）",
      theme: {
        outline: { level: [2, 3], label: "本頁內容" },
        docFooter: { prev: "上一頁", next: "下一頁" },
        darkModeSwitchLabel: "主題",
        lightModeSwitchTitle: "切換到淺色主題",
        darkModeSwitchTitle: "切換到深色主題",
        sidebarMenuLabel: "目錄",
        returnToTopLabel: "回到頂端",
        langMenuLabel: "變更語言",
        skipToContentLabel: "跳到內文",
      },
      search: {
        button: { buttonText: "搜尋", buttonAriaLabel: "搜尋" },
        modal: {
          noResultsText: "沒有結果：",
          resetButtonTitle: "清除",
          footer: { selectText: "選擇", navigateText: "切換", closeText: "關閉" },
        },
      },
    },
  },
  {
    folder: "pt-BR",
    label: "Português (Brasil)",
    lang: "pt-BR",
    texts: {
      start: "Início",
      editors: "Editores",
      reference: "Referência (em inglês)",
      matrix: "Compatibilidade (em inglês)",
      theme: {
        outline: { level: [2, 3], label: "Nesta página" },
        docFooter: { prev: "Página anterior", next: "Próxima página" },
        darkModeSwitchLabel: "Tema",
        lightModeSwitchTitle: "Mudar para o tema claro",
        darkModeSwitchTitle: "Mudar para o tema escuro",
        sidebarMenuLabel: "Menu",
        returnToTopLabel: "Voltar ao topo",
        langMenuLabel: "Mudar o idioma",
        skipToContentLabel: "Ir para o conteúdo",
      },
      search: {
        button: { buttonText: "Pesquisar", buttonAriaLabel: "Pesquisar" },
        modal: {
          noResultsText: "Nenhum resultado para",
          resetButtonTitle: "Limpar",
          footer: { selectText: "selecionar", navigateText: "navegar", closeText: "fechar" },
        },
      },
    },
  },
];

/**
 * Where a link into a language leads whose page is not translated: to the English page, and from the language alone to
 * its first page. The menu of languages names such pages.
 * @param {string} path below the site's base
 * @param {Readonly<Record<string, readonly { items: readonly { link: string }[] }[]>>} sidebars by language
 * @returns {string | undefined} undefined where the page is there, or is no page of a language
 */
export function landingOf(path, sidebars) {
  const [, folder, rest] = /^\/([\w-]+)\/([^#]*)/.exec(path) ?? [];
  const links = sidebars[folder]?.flatMap(({ items }) => items.map(({ link }) => link));
  if (links === undefined || links.includes(`/${folder}/${rest.replace(/\.html$/, "")}`)) return undefined;
  return rest === "" ? links[0] : `/${rest}`;
}
