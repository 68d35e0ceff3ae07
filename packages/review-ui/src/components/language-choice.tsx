import { languageNames, languages } from "../language/language.ts";
import { useReview } from "../review-context.ts";

/** The language of the page. Another one is read in by a fresh start of the page, which keeps tabs and edits. */
export function LanguageChoice() {
  const { t, language, controller, chooseLanguage } = useReview();
  return (
    <label class="panel-section language">
      <span class="quiet">{t("Language")}</span>
      <select
        value={language}
        onChange={({ currentTarget }) => {
          const chosen = languageNames.find((name) => name === currentTarget.value);
          if (!chosen) return;
          controller.flushAll();
          chooseLanguage(chosen);
        }}
      >
        {languageNames.map((name) => (
          <option key={name} value={name} lang={name}>
            {languages[name]}
          </option>
        ))}
      </select>
    </label>
  );
}
