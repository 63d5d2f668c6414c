import type { ResultOf } from '../../src/catalog'
import { StudioError } from '../../src/kernel'
import { printable } from '../terminal/printable'
import { writeNotice } from '../terminal/write-message'
import type { Preparation } from './command-parts'
import { addImages } from './files/local-images'

/**
 * Reads the items of `--query` or `--filter`. They are selected once, so that exactly those are sent that the preview shows, whatever the
 * query would find later.
 */
export const prepareBatchUpdate: Preparation = async (given, flags, caller) => {
  const { input } = await addImages(given, flags, caller)
  const { query, filter } = flags
  const { invocation, run } = caller
  const ids = input['itemIds'] as readonly unknown[]
  if (query === undefined && filter === undefined) {
    if (ids.length > 0) return { input }
    throw new StudioError('invalid', 'No work item was specified.', { hint: 'Specify IDs, --query or --filter.' })
  }
  if (ids.length > 0 || (query !== undefined && filter !== undefined))
    throw new StudioError('invalid', 'Specify only one of IDs, --query and --filter.')
  const { itemIds, hints } = (await run('items.select', { query, filter })) as ResultOf<'items.select'>
  if (itemIds.length > 0) {
    if (!invocation.flags.json) for (const text of hints) writeNotice(invocation, printable(text))
    return { input: { ...input, itemIds }, alwaysPreview: true }
  }
  throw new StudioError('not_found', 'No cached work item matches, so nothing was sent.', {
    hint: hints.length > 0 ? hints.join(' ') : 'See what the workspace has: studio item list',
  })
}
