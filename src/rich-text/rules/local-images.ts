import type { Nodes } from 'mdast'
import { parseMarkdown } from './markdown/read'

/** Matches the address of a file beside the text, in the home folder, or on a drive. */
const LOCAL = /^(?:\.{1,2}[\\/]|~\/|file:|[a-z]:[\\/])/i

/** The images of a Markdown text that are files of a machine, which no one else can see: `./shot.png`. */
export function listLocalImages(markdown: string): string[] {
  if (!markdown.includes('![')) return []
  const found = new Set<string>()
  const rest: Nodes[] = [parseMarkdown(markdown)]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node.type === 'image' && LOCAL.test(node.url)) found.add(node.url)
    // As arguments of one call, very many children would be too many.
    if ('children' in node) for (const child of [...node.children].reverse()) rest.push(child)
  }
  return [...found]
}

/** What is wrong with a text that has such images, and what to do; null if it has none but those of the former text. */
export function describeLocalImages(markdown: string, former = ''): string | null {
  const known = listLocalImages(former)
  const images = listLocalImages(markdown).filter((image) => !known.includes(image))
  if (images.length === 0) return null
  const them = images.length === 1 ? 'is a file' : 'are files'
  return `the image ${images.join(', ')} ${them} of this machine, which others cannot see; attach it in the tracker and write its address, or remove it`
}
