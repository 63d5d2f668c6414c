import type { Nodes, Root } from 'mdast'
import type { LeafPair } from './align'
import { BlockChanges } from './block-changes'
import { BlockDeletions } from './block-deletions'
import { BlockInsertions } from './block-insertions'
import { BlockWords } from './block-words'
import { LineEnds } from './line-ends'
import { ifDecided, type Patch, ShownSource } from './shown-source'
import type { SourceFormat, SourceToken } from './source'
import { listLeaves, textOf } from './tokens'

export interface TextEdit {
  source: string
  format: SourceFormat
  /** The document as it was shown: a clean copy lacks what was removed from it. */
  before: Root
  /** The same document after a person has changed it. */
  after: Root
}

export interface EditedSource {
  source: string
  /** Blocks of the new document that cannot be written without a decision, because the edit meets what was removed from the copy. */
  undecided: string[]
  /** What the edit takes away that the document did not show, in words. */
  losses: string[]
  /** All of it is written anew, because nothing is known of its places. */
  isRewritten?: boolean
}

/**
 * Makes the change between two versions of a document in the source that they were read from. What was not changed stays as it is written,
 * character by character. Where a part was removed from the document and the edit is beside it, the part stays.
 * @param force decides for the edit wherever it meets what was removed
 */
export function editSource(edit: TextEdit, { force = false } = {}): EditedSource {
  try {
    const lines = new LineEnds(edit.source)
    const tokens = edit.format.read(lines.text)
    if (tokens === null || tokens.length === 0) return rewriteAll(edit)
    const { patches, undecided, losses } = findPatches({ ...edit, source: lines.text }, { tokens, force })
    return { source: lines.apply(patches), undecided, losses }
  } catch (error) {
    // Elements in elements of a thousand levels exhaust the stack.
    if (error instanceof RangeError) return rewriteAll(edit)
    throw error
  }
}

/** Of what is not shown, nothing can be kept. */
function rewriteAll({ after, format, source }: TextEdit): EditedSource {
  const written = after.children.map((node) => format.writeBlock(node, null)).join(format.separator)
  const losses = source.trim() === '' ? [] : ['the formatting of the whole text']
  return { source: written, undecided: [], losses, isRewritten: true }
}

/** The patches of a source that make the edit in it. */
function findPatches(
  { source, format, before, after: root }: TextEdit,
  { tokens, force }: { tokens: readonly SourceToken[]; force: boolean },
): Omit<EditedSource, 'source'> & { patches: Patch[] } {
  const shown = new ShownSource(source, tokens, { before, force })
  const after = listLeaves(root)
  const changes = new BlockChanges(shown.leaves, after)
  const words = new BlockWords(shown, format, after)
  const joints = changes.findWholes('before')
  for (const [part, whole] of joints) words.join(part, whole)
  const deleted = new Set(
    changes.pairs.flatMap(({ before, after }) => (before !== null && after === null ? [before] : [])),
  )
  const patches: Patch[] = []
  const undecided: string[] = []
  const kept = new Map<Nodes, number>()
  const gone: LeafPair[] = []
  const fresh: LeafPair[] = []
  for (const pair of changes.pairs) {
    const { before: old, after: own } = pair
    if (old !== null && own !== null) {
      const isRewritten = changes.isRewritten(old, own)
      const edited = isRewritten ? words.replaceBlock(old, own) : ifDecided(() => words.edit(old, own))
      if (edited === null && !isRewritten) undecided.push(textOf(after[own]!.tokens))
      if (edited !== null || !isRewritten) {
        patches.push(...[edited ?? []].flat())
        kept.set(after[own]!.path.at(-1)!, old)
        continue
      }
    }
    // Deleting it would leave a piece of what was removed from it, which nothing would recognize without its words.
    const isHeldByAnother = () => !force && shown.sharedWith(old!).leaves.some((leaf) => !deleted.has(leaf))
    if (old !== null && own === null && isHeldByAnother()) {
      undecided.push(textOf(shown.leaves[old]!.tokens))
      continue
    }
    if (old !== null) gone.push(pair)
    if (own !== null) fresh.push(pair)
  }
  const deletions = new BlockDeletions(shown, format, gone)
  patches.push(...deletions.patches)
  if (fresh.length > 0) {
    const origins = changes.findOrigins({ fresh, gone })
    const insertions = new BlockInsertions(shown, format, { root, after, kept, origins, deletions, words })
    patches.push(...insertions.patches)
    undecided.push(...insertions.undecided)
  }
  for (const { before: old, after: own } of changes.pairs)
    if (old !== null) words.noteRemoved(old, own ?? (words.isJoined(old) ? joints.get(old)! : null))
  for (const old of deletions.gone) if (!words.isJoined(old)) words.noteImages(old, deletions.wholeOf(old))
  for (const old of changes.findScattered()) if (!words.isJoined(old)) words.noteJoined(old)
  return { patches: words.finish(patches), undecided, losses: [...words.losses] }
}
