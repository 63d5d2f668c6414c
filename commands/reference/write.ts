import { writeFile } from 'node:fs/promises'
import { version } from '../start/version'
import { manPage } from './man-page'
import { referenceMarkdown } from './markdown'
import { loadReference } from './reference'
import { withTrackerTable } from './tracker-table'

/** The generated pages by their paths. */
export async function referencePages(): Promise<Record<string, string>> {
  const reference = await loadReference()
  return {
    'docs/reference/cli.md': referenceMarkdown(reference),
    'docs/reference/trackers.md': await withTrackerTable('docs/reference/trackers.md'),
    'docs/reference/studio.1': manPage(reference, version),
  }
}

/** `npm run reference` */
export async function writeReference(): Promise<void> {
  for (const [path, page] of Object.entries(await referencePages())) await writeFile(path, page)
}
