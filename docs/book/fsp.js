// FSP for the highlighter of the book, which does not know the language.
(function () {
  if (typeof hljs === "undefined") return;
  hljs.registerLanguage("fsp", function (hljs) {
    return {
      keywords: {
        keyword:
          "const range set property progress menu animation assert constraint fluent import deterministic minimal " +
          "compose interface when if then else forall initially ltl_property",
        literal: "STOP END ERROR",
      },
      contains: [
        hljs.C_LINE_COMMENT_MODE,
        hljs.C_BLOCK_COMMENT_MODE,
        { className: "title", begin: /\b[A-Z][A-Za-z0-9_]*/ },
        { className: "number", begin: /\b\d+\b/ },
        { className: "symbol", begin: /->|\|\||::|[\\\/@|:=+]/ },
      ],
    };
  });
  document.querySelectorAll("code.language-fsp").forEach(function (block) {
    if (hljs.highlightElement) hljs.highlightElement(block);
    else hljs.highlightBlock(block);
  });
})();
