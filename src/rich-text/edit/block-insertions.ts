import type { ListItem, Nodes, Root, RootContent } from 'mdast'
import type { BlockDeletions } from './block-deletions'
import type { BlockWords } from './block-words'
import { findPlaceBeside, PARTS } from './place-beside'
import { findBlock, ifDecided, type Patch, type Run, type ShownSource, Undecided } from './shown-source'
import type { Place, SourceFormat } from './source'
import { isWord, type Leaf, textOf } from './tokens'

interface Insertion {
  /** The new document, and its blocks. */
  root: Root
  after: readonly Leaf[]
  /** The former blocks of those that are not new. */
  kept: ReadonlyMap<Nodes, number>
  /** The former blocks of new ones. */
  origins: ReadonlyMap<Nodes, number>
  deletions: BlockDeletions
  words: BlockWords
}

/** Inserts each node of the new document whose blocks are all new, beside a sibling that is not. */
export class BlockInsertions {
  readonly #shown: ShownSource
  readonly #format: SourceFormat
  readonly #insertion: Insertion
  /** The blocks of the new document in each of its nodes. */
  readonly #leavesOf = new Map<Nodes, Run>()
  readonly patches: Patch[] = []
  /** The words of blocks whose place is not certain. */
  readonly undecided: string[] = []
  /** Where blocks were put that have nothing beside them. */
  readonly #alone = new Set<number>()

  constructor(shown: ShownSource, format: SourceFormat, insertion: Insertion) {
    this.#shown = shown
    this.#format = format
    this.#insertion = insertion
    for (const [index, { path }] of insertion.after.entries())
      for (const node of path) {
        const run = this.#leavesOf.get(node)
        if (run) run.end = index + 1
        else this.#leavesOf.set(node, { start: index, end: index + 1 })
      }
    this.#insertInto(insertion.root)
  }

  #insertInto(parent: Nodes): void {
    if (!('children' in parent) || this.#isLeaf(parent)) return
    const siblings = parent.children as Nodes[]
    for (const [index, child] of siblings.entries()) {
      if (!this.#isNew(child)) {
        this.#insertInto(child)
        continue
      }
      const leaf = this.#leavesOf.get(child)?.start
      if (leaf === undefined) continue
      const patch = ifDecided(() => this.#insert(child as RootContent, { parent, index }))
      if (patch) this.patches.push(patch)
      else this.undecided.push(textOf(this.#insertion.after[leaf]!.tokens))
    }
  }

  #isNew(node: Nodes): boolean {
    const isEmpty = !('children' in node) || this.#isLeaf(node)
    const isAllNew = () =>
      'children' in node && node.children.length > 0 && node.children.every((one) => this.#isNew(one))
    return !this.#insertion.kept.has(node) && (isEmpty || isAllNew())
  }

  #insert(child: RootContent, { parent, index }: { parent: Nodes & { children: Nodes[] }; index: number }): Patch {
    const { root, origins, deletions, words } = this.#insertion
    const node = words.withSource(child, origins, (one) => this.#leavesOf.get(one)!.start)
    const origin = origins.get(this.#insertion.after[this.#leavesOf.get(child)!.start]!.path.at(-1)!)
    const next = parent.children.slice(index).find((one) => !this.#isNew(one))
    // What was split from the block behind it is put beside that.
    const isOfNext =
      next !== undefined && origin !== undefined && this.#formerOf(this.#leavesOf.get(next)!.start) === origin
    const near = isOfNext ? undefined : parent.children.slice(0, index).findLast((one) => !this.#isNew(one))
    const side = near ? 'after' : 'before'
    const found = this.#findPlace(near ?? next, side)
    const isEnd = near && parent === root && parent.children.slice(index).every((one) => this.#isNew(one))
    const place = found && isEnd ? this.#afterSection(found) : found
    if (place) {
      const skipped = parent === root ? this.#format.skipDefinitions?.(this.#shown.source, place.end) : undefined
      const end = skipped ?? place.end
      const own = side === 'after' ? end : (place.outer ?? place).start
      const at = this.#format.isTagged ? this.#placeOfDeleted(own, { place, child, side }) : own
      const text = this.#format.writeBlock(node, { place: { ...place, end }, source: this.#shown.source, side })
      return { start: at, end: at, text, isBefore: side === 'before' }
    }
    const sibling = near ?? next
    if (node.type === 'listItem' && sibling && this.#format.isTagged) return this.#insertLike(sibling, { node, side })
    // A part of a list or a table is nothing by itself.
    if (child.type in PARTS) throw new Undecided()
    const { length } = this.#shown.source
    const [first] = deletions.places.values()
    const at = (origin === undefined ? undefined : deletions.places.get(origin))?.at ?? first?.at ?? length
    const lead = (at === length && at > 0) || this.#alone.has(at) ? this.#format.separator : ''
    this.#alone.add(at)
    return { start: at, end: at, text: `${lead}${this.#format.writeBlock(node, null)}` }
  }

  /** Writes an item of a list that has no elements for items, as those of office programs: as another one is written, with its bullet. */
  #insertLike(sibling: Nodes, { node, side }: { node: ListItem; side: 'before' | 'after' }): Patch {
    const leaves = this.#leavesOf.get(sibling)!
    const [first, last] = [leaves.start, leaves.end - 1].map((leaf) => this.#formerOf(leaf))
    const [words, ...more] = node.children
    if (first === undefined || last === undefined || words?.type !== 'paragraph' || more.length > 0)
      throw new Undecided()
    const { source, tokens } = this.#shown
    const own = this.#shown.ownedBy(first)
    const [block, end] = [own, this.#shown.ownedBy(last)].map((run) => findBlock(tokens[run.end - 1]?.place ?? null))
    if (!block || !end) throw new Undecided()
    const inside = this.#shown.tokensIn(block)
    const bullet = tokens.slice(inside.start, own.start)
    // A number is another one in each item.
    const isLike = bullet.length > 0 && !bullet.some(isWord)
    if (!isLike || inside.end !== own.end || typeof node.checked === 'boolean') throw new Undecided()
    const font = listPlaces(tokens[own.start]!.place).findLast((place) => {
      const { start, end } = this.#shown.tokensIn(place)
      return place.kind === 'inline' && place.marks.length === 0 && start <= own.start && end >= own.end
    })
    const content = font?.inner ?? this.#shown.wholeRangeOf(own)
    const written = this.#format.writeInline(words.children, block)
    const text = `${source.slice(block.start, content.start)}${written}${source.slice(content.end, block.end)}`
    const at = side === 'after' ? end.end : block.start
    return { start: at, end: at, text, isBefore: side === 'before' }
  }

  /** The place of a block that was deleted right there, so that what is between two blocks stays where it is. */
  #placeOfDeleted(
    own: number,
    { place, child, side }: { place: Place; child: Nodes; side: 'before' | 'after' },
  ): number {
    const deletion = this.#insertion.deletions.besideOf(own, side)
    if (!deletion) return own
    const { at, parent } = deletion
    if (parent === place.parent) return at
    const isAround = parent === null || (holdsBlocks(parent) && listPlaces(place.parent).includes(parent))
    return isAround && !(child.type in PARTS) ? at : own
  }

  /** What is added at the end of a text is not in the section with a title that ends there. */
  #afterSection(place: Place): Place {
    const { parent } = place
    if (parent === null) return place
    const { start, end } = this.#shown.tokensIn(parent)
    const isSection = listPlaces(this.#shown.tokens[start]!.place).some(({ outer }) => outer === parent)
    return isSection && end === this.#shown.tokens.length ? parent : place
  }

  #findPlace(node: Nodes | undefined, side: 'before' | 'after'): Place | null {
    if (node === undefined) return null
    const { after, deletions } = this.#insertion
    const { start, end } = this.#leavesOf.get(node)!
    const leaves = after.slice(start, end).flatMap(({ path }, index) => {
      const before = this.#formerOf(start + index)
      return before === undefined ? [] : [{ path, before }]
    })
    return findPlaceBeside(this.#shown, { node, leaves, side, gone: deletions.gone })
  }

  /** Which block of the former document a block is; undefined if it is new. */
  #formerOf(leaf: number): number | undefined {
    return this.#insertion.kept.get(this.#insertion.after[leaf]!.path.at(-1)!)
  }

  #isLeaf(node: Nodes): boolean {
    const run = this.#leavesOf.get(node)
    return run !== undefined && this.#insertion.after[run.start]!.path.at(-1) === node
  }
}

function holdsBlocks({ kind }: Place): boolean {
  return kind === 'block' || kind === 'item' || kind === 'cell'
}

/** A place with those around it, from the innermost. */
function listPlaces(place: Place | null): Place[] {
  return place === null ? [] : [place, ...listPlaces(place.parent)]
}
