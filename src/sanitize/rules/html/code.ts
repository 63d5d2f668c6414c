import { element, isElement, shownText } from './build'
import { attribute, type Element, type HtmlNode } from './nodes'

/** A code block of preformatted text; its language where the source tells one. */
export function createCodeBlock(node: Element, children: HtmlNode[]): HtmlNode[] {
  const value = shownText(children)
  if (value.trim() === '') return []
  const inner = node.children.find((child) => isElement(child, 'code'))
  const language = languageOf(node) ?? (isElement(inner) ? languageOf(inner) : null)
  return [element('pre', [{ type: 'text', value }], language ? { language } : {})]
}

/** `language-sql`, `lang-sql`, `highlight-source-sql`, `brush: sql`, `data-lang="sql"`. */
function languageOf(node: Element): string | null {
  const told = attribute(node, 'data-language') || attribute(node, 'data-lang')
  if (told !== '') return told
  return (
    /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]{1,40})/i.exec(attribute(node, 'class'))?.[1] ??
    null
  )
}
