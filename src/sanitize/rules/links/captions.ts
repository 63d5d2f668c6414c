import type { Nodes, RootContent } from 'mdast'
import { textOf } from '../../../rich-text'

/** Matches what editors and viewers write at an image if it has no description, and their buttons. */
const CAPTION =
  /^(?:(?:image|img|picture|photo|graphic|screenshot|bild|imagen|imagem|immagine|afbeelding|show (?:more|less)|see more|read more|mehr anzeigen|afficher plus|ver más|mostrar más|meer weergeven|(?:click|tap) to (?:enlarge|expand|zoom|view)|(?:enlarge|expand|open|view|preview) image|view (?:full size|larger)|image preview)(?:\.|…|\.\.\.)?\s*)+$/i

/** Returns whether the text is only a default caption. */
export function isDefaultCaption(text: string): boolean {
  return text.length <= MAX_CHARACTERS && CAPTION.test(text.trim())
}

const MAX_CHARACTERS = 80

/** Drops default captions beside images: `Image`, `Show more`. Elsewhere the same words are text. */
export function dropCaptions<Node extends RootContent>(nodes: readonly Node[]): readonly Node[] {
  if (!nodes.some(isImage)) return nodes
  const isCaption = nodes.map((node) => !isImage(node) && isDefaultCaption(textOf([node])))
  if (!isCaption.includes(true)) return nodes
  const isBeside = (from: number, step: 1 | -1) => {
    let at = from + step
    while (nodes[at] !== undefined && (isCaption[at] || isBlank(nodes[at]))) at += step
    return nodes[at] !== undefined && isImage(nodes[at])
  }
  return nodes.filter((_, at) => !isCaption[at] || (!isBeside(at, -1) && !isBeside(at, 1)))
}

/** Returns whether the node is an image, or has nothing but images. */
function isImage(node: Nodes | undefined): boolean {
  if (node?.type === 'image') return true
  if (!node || !('children' in node)) return false
  let hasImage = false
  for (const child of node.children) {
    if (isBlank(child)) continue
    if (!isImage(child)) return false
    hasImage = true
  }
  return hasImage
}

function isBlank(node: Nodes | undefined): boolean {
  return node?.type === 'break' || (node?.type === 'text' && node.value.trim() === '')
}
