import { getLastRevision, type Item, rebuildItem } from './item'
import { LinkGraph } from './links'
import type { ClassificationNode, LinkChange, Person, SandboxState } from './state'

/** The changes of one request before they are applied. */
export interface ItemChange {
  item: Item
  links: readonly LinkChange[]
}

export interface TimelineEntry {
  watermark: number
  id: number
  /** From 1. */
  rev: number
}

/** An indexed state in memory. It does not modify the state that it was created from. */
export class TrackerModel {
  readonly people: People
  readonly areas: ClassificationTree
  readonly iterations: ClassificationTree
  links: LinkGraph
  private items: Map<number, Item>
  private readonly linkLog: LinkChange[]
  private watermark = 0
  private highestId = 0
  private savesInOrder: TimelineEntry[] | null = null

  constructor(private readonly start: SandboxState) {
    this.people = new People(start.people)
    this.areas = new ClassificationTree(start.areas)
    this.iterations = new ClassificationTree(start.iterations)
    this.items = new Map(start.items.map((stored) => [stored.id, rebuildItem(stored)]))
    this.linkLog = [...start.links]
    this.links = new LinkGraph(this.linkLog)
    for (const findItem of this.items.values()) this.trackHighest(findItem)
    for (const link of this.linkLog) this.watermark = Math.max(this.watermark, link.watermark)
  }

  get organization(): string {
    return this.start.organization
  }

  get project(): SandboxState['project'] {
    return this.start.project
  }

  get nextId(): number {
    return this.highestId + 1
  }

  get nextWatermark(): number {
    return this.watermark + 1
  }

  /** Null for a missing or deleted item. */
  item(id: number): Item | null {
    const item = this.items.get(id)
    return item && !item.isDeleted ? item : null
  }

  findItemEvenDeleted(id: number): Item | null {
    return this.items.get(id) ?? null
  }

  *listItems(): Generator<Item> {
    for (const item of this.items.values()) if (!item.isDeleted) yield item
  }

  get linkChanges(): readonly LinkChange[] {
    return this.linkLog
  }

  /** Every save of every item by its watermark. */
  listTimeline(): readonly TimelineEntry[] {
    if (!this.savesInOrder) {
      this.savesInOrder = []
      for (const item of this.items.values()) {
        item.revisions.forEach((save, at) => {
          this.savesInOrder!.push({ watermark: save.watermark, id: item.id, rev: at + 1 })
        })
      }
      this.savesInOrder.sort((a, b) => a.watermark - b.watermark)
    }
    return this.savesInOrder
  }

  apply(change: ItemChange): void {
    const before = this.items.get(change.item.id)?.revisions.length ?? 0
    this.items.set(change.item.id, change.item)
    this.trackHighest(change.item)
    change.item.revisions.slice(before).forEach((save, at) => {
      this.savesInOrder?.push({ watermark: save.watermark, id: change.item.id, rev: before + at + 1 })
    })
    for (const link of change.links) {
      this.linkLog.push(link)
      this.links.apply(link)
      this.watermark = Math.max(this.watermark, link.watermark)
    }
  }

  /** Returns a function that undoes everything that is applied after this call. */
  checkpoint(): () => void {
    const { items, watermark, highestId } = this
    const links = this.linkLog.length
    this.items = new Map(items)
    return () => {
      this.items = items
      this.watermark = watermark
      this.highestId = highestId
      this.linkLog.length = links
      this.links = new LinkGraph(this.linkLog)
      this.savesInOrder = null
    }
  }

  toState(): SandboxState {
    const items = [...this.items.values()].map(({ id, revisions }) => ({ id, revisions }))
    return { ...this.start, items, links: [...this.linkLog] }
  }

  private trackHighest(item: Item): void {
    this.highestId = Math.max(this.highestId, item.id)
    this.watermark = Math.max(this.watermark, getLastRevision(item).watermark)
  }
}

interface NodeWithPath {
  node: ClassificationNode
  /** `Harbor\Yard`: the names from the root, as fields hold it. */
  path: string
  depth: number
}

/** The tree of areas or of iterations, indexed by path and ID. */
export class ClassificationTree {
  private readonly byPath = new Map<string, NodeWithPath>()
  private readonly byId = new Map<number, NodeWithPath>()

  constructor(readonly root: ClassificationNode) {
    this.place(root, root.name, 1)
  }

  /** In any case, with or without a leading backslash. */
  find(path: string): NodeWithPath | null {
    return this.byPath.get(path.replace(/^\\/, '').toLowerCase()) ?? null
  }

  findById(id: number): NodeWithPath | null {
    return this.byId.get(id) ?? null
  }

  private place(node: ClassificationNode, path: string, depth: number): void {
    const placed = { node, path, depth }
    this.byPath.set(path.toLowerCase(), placed)
    this.byId.set(node.id, placed)
    for (const child of node.children ?? []) this.place(child, `${path}\\${child.name}`, depth + 1)
  }
}

export function isPathUnder(path: string, root: string): boolean {
  const [below, above] = [path.toLowerCase(), root.toLowerCase()]
  return below === above || below.startsWith(`${above}\\`)
}

/** The known people, indexed by each way to write a person. */
class People {
  private readonly byName = new Map<string, Person>()

  constructor(readonly all: readonly Person[]) {
    for (const person of all) {
      for (const name of [person.displayName, person.uniqueName, person.id, formatPerson(person)]) {
        this.byName.set(normalizeName(name), person)
      }
    }
  }

  get signedIn(): Person {
    return this.all[0]!
  }

  find(name: string): Person | null {
    return this.byName.get(normalizeName(name)) ?? null
  }
}

/** `Priya Nair <priya.nair@…>` */
export function formatPerson(person: Person): string {
  return `${person.displayName} <${person.uniqueName}>`
}

function normalizeName(name: string): string {
  return name
    .replace(/(?<!\s)\s*</, ' <')
    .trim()
    .toLowerCase()
}
