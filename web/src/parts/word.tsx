// Words of a model within a text of the page.
export const Word = ({ text, language }: { text: string; language: string }) => (
  <span lang={language} dir="auto">
    {text}
  </span>
);
