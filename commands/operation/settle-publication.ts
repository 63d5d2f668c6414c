import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ResultOf } from '../../src/catalog'
import { isRecord } from '../../src/kernel/json'
import type { Invocation } from '../start/invocation'
import { ask } from '../terminal/ask'
import { getEditor, readEditedText, runEditor } from '../terminal/editor'
import { saveRecoveryFile } from '../terminal/recovery-file'
import { writeNotice } from '../terminal/write-message'

type Published = ResultOf<'items.publish-draft'>
type Conflict = Published['conflicts'][number]

/** Asks for each conflict whose version to publish. */
export async function settlePublication(
  { conflicts }: Published,
  input: Record<string, unknown>,
  invocation: Invocation,
): Promise<Record<string, unknown> | null> {
  if (conflicts.length === 0) return null
  const resolved: Record<string, unknown> = isRecord(input['resolved']) ? { ...input['resolved'] } : {}
  for (const conflict of conflicts) resolved[conflict.property] = await settle(conflict, invocation)
  return { ...input, resolved }
}

const CHOICES = [
  { name: 'Use the version of the draft where both have changed the same', value: 'draft' },
  { name: 'Keep the version of the tracker there', value: 'tracker' },
]
const UNDECIDED_CHOICES = [
  {
    name: 'Make the edits of the draft; the item may lose what was removed from the draft beside them',
    value: 'draft',
  },
  { name: 'Keep the text of the tracker, without the edits of the draft', value: 'tracker' },
]

async function settle(conflict: Conflict, invocation: Invocation): Promise<unknown> {
  for (;;) {
    const { choice } = await ask(
      [
        {
          type: 'select',
          name: 'choice',
          message: `${conflict.field}:`,
          choices: [
            ...(conflict.undecided.length > 0 ? UNDECIDED_CHOICES : CHOICES),
            ...(conflict.merged === null ? [] : [{ name: 'Edit a text with both versions', value: 'edit' }]),
          ],
        },
      ],
      'Nothing was sent.',
    )
    if (choice === 'draft') return conflict.withDraft
    if (choice === 'tracker') return conflict.withTracker
    const edited = await editMerged(conflict, invocation)
    if (!CONFLICT_MARKER.test(edited)) return edited.trimEnd() || null
    writeNotice(invocation, 'The text still has conflict markers: lines that begin with <<<<<<<, ======= or >>>>>>>.')
  }
}

const CONFLICT_MARKER = /^(?:<{7} |={7}$|>{7} )/m

async function editMerged({ property, merged }: Conflict, invocation: Invocation): Promise<string> {
  const file = await saveRecoveryFile(`${property}.md`, merged ?? '', invocation)
  await runEditor(getEditor(invocation.terminal.env), file, invocation.terminal)
  const text = await readEditedText(file, invocation.signal)
  await rm(dirname(file), { recursive: true, force: true })
  return text
}
