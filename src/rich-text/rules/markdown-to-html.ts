import { writeHtml } from './html/write'
import { readMarkdown } from './markdown/read'
import { nameMentions, type PersonIdentity } from './mentions'

/**
 * Converts Markdown (GFM) to HTML that the tracker stores unchanged: no scripts, no styles, no attributes but those of the text.
 * `people` are the people whose names become mentions. Without `images`, an image is left out: it would be loaded from its address.
 */
export function markdownToHtml(
  markdown: string,
  { people = [], images = true }: { people?: readonly PersonIdentity[]; images?: boolean } = {},
): string {
  const root = readMarkdown(markdown)
  nameMentions(root, people)
  return writeHtml(root, { images })
}
