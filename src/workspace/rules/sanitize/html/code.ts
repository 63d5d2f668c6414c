import type { Element, ElementContent } from 'hast'
import { element, isElement, shownText } from './build'

/** A code block of preformatted text; its language where the source tells one. */
export function codeBlock(node: Element, children: ElementContent[]): ElementContent[] {
  const value = shownText(children)
  if (value.trim() === '') return []
  const inner = node.children.find((child) => isElement(child, 'code'))
  const language = languageOf(node) ?? (isElement(inner) ? languageOf(inner) : null)
  return [element('pre', [{ type: 'text', value }], language ? { language } : {})]
}

/** `language-sql`, `lang-sql`, `highlight-source-sql`, `brush: sql`, `data-lang="sql"`. */
function languageOf({ properties }: Element): string | null {
  const { className, dataLang, dataLanguage } = properties
  for (const told of [dataLanguage, dataLang]) if (typeof told === 'string' && told !== '') return told
  const classes = (Array.isArray(className) ? className : []).join(' ')
  return /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]{1,40})/i.exec(classes)?.[1] ?? null
}
