import { element, isElement, shownText } from './build'
import { attribute, type Element, type HtmlNode } from './nodes'

/** Creates a code block from preformatted text, with its language if the source specifies one. */
export function createCodeBlock(node: Element, children: HtmlNode[]): HtmlNode[] {
  const value = shownText(children)
  if (value.trim() === '') return []
  const inner = node.children.find((child) => isElement(child, 'code'))
  const language = languageOf(node) ?? (isElement(inner) ? languageOf(inner) : null)
  return [element('pre', [{ type: 'text', value }], language ? { language } : {})]
}

/** Reads the language from `language-sql`, `lang-sql`, `highlight-source-sql`, `brush: sql` or `data-lang="sql"`. */
function languageOf(node: Element): string | null {
  const language = attribute(node, 'data-language') || attribute(node, 'data-lang')
  if (language !== '') return language
  return (
    /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]{1,40})/i.exec(attribute(node, 'class'))?.[1] ??
    null
  )
}
