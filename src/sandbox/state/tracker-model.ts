import { getLastRevision, type Item, rebuildItem } from './item'
import { LinkGraph } from './links'
import type {
  ClassificationNode,
  LinkChange,
  Person,
  Repository,
  SandboxState,
  StoredAttachment,
  StoredQuery,
} from './state'

/** The changes of one request before they are applied. */
export interface ItemChange {
  item: Item
  links: readonly LinkChange[]
}

/** A save of an item. */
interface TimelineEntry {
  watermark: number
  at: string
  id: number
  /** From 1. */
  rev: number
}

/** An indexed state in memory. It does not modify the state that it was created from. */
export class TrackerModel {
  readonly people: People
  readonly areas: ClassificationTree
  readonly iterations: ClassificationTree
  readonly links: LinkGraph
  private readonly items: Map<number, Item>
  private readonly linkLog: LinkChange[]
  private readonly attachments: Map<string, StoredAttachment>
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
    this.attachments = new Map((start.attachments ?? []).map((attachment) => [attachment.id, attachment]))
    for (const { watermark } of this.attachments.values()) this.watermark = Math.max(this.watermark, watermark)
    for (const item of this.items.values()) this.trackHighest(item)
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

  *listDeletedItems(): Generator<Item> {
    for (const item of this.items.values()) if (item.isDeleted) yield item
  }

  /** The roots of the saved queries. */
  get queries(): readonly StoredQuery[] {
    return this.start.queries ?? []
  }

  get repositories(): readonly Repository[] {
    return this.start.repositories ?? []
  }

  attachment(id: string): StoredAttachment | null {
    return this.attachments.get(id.toLowerCase()) ?? null
  }

  /** Stores a file, or its next version, under the next watermark. */
  storeAttachment(attachment: Omit<StoredAttachment, 'watermark'>): void {
    this.watermark += 1
    this.attachments.set(attachment.id, { ...attachment, watermark: this.watermark })
  }

  get linkChanges(): readonly LinkChange[] {
    return this.linkLog
  }

  /** Every save of every item by its watermark. */
  listTimeline(): readonly TimelineEntry[] {
    this.savesInOrder ??= [...this.items.values()]
      .flatMap((item) => listSaves(item))
      .sort((a, b) => a.watermark - b.watermark)
    return this.savesInOrder
  }

  apply(change: ItemChange): void {
    const before = this.items.get(change.item.id)?.revisions.length ?? 0
    this.items.set(change.item.id, change.item)
    this.trackHighest(change.item)
    this.savesInOrder?.push(...listSaves(change.item).slice(before))
    for (const link of change.links) {
      this.linkLog.push(link)
      this.links.apply(link)
      this.watermark = Math.max(this.watermark, link.watermark)
    }
  }

  toState(): SandboxState {
    const items = [...this.items.values()].map(({ id, revisions }) => ({ id, revisions }))
    return { ...this.start, items, links: [...this.linkLog], attachments: [...this.attachments.values()] }
  }

  private trackHighest(item: Item): void {
    this.highestId = Math.max(this.highestId, item.id)
    this.watermark = Math.max(this.watermark, getLastRevision(item).watermark)
  }
}

function listSaves({ id, revisions }: Item): TimelineEntry[] {
  return revisions.map(({ watermark, at }, index) => ({ watermark, at, id, rev: index + 1 }))
}

interface NodeWithPath {
  node: ClassificationNode
  /** `Harbor\Yard`: the names from the root, as fields hold it. */
  path: string
}

/** The tree of areas or of iterations. */
export class ClassificationTree {
  private readonly byPath: ReadonlyMap<string, NodeWithPath>

  constructor(readonly root: ClassificationNode) {
    this.byPath = new Map(listNodes(root, root.name).map((placed) => [placed.path.toLowerCase(), placed]))
  }

  /** In any case, with or without a leading backslash. */
  find(path: string): NodeWithPath | null {
    return this.byPath.get(path.replace(/^\\/, '').toLowerCase()) ?? null
  }

  findById(id: number): NodeWithPath | null {
    return [...this.byPath.values()].find(({ node }) => node.id === id) ?? null
  }
}

function listNodes(node: ClassificationNode, path: string): NodeWithPath[] {
  const below = (node.children ?? []).flatMap((child) => listNodes(child, `${path}\\${child.name}`))
  return [{ node, path }, ...below]
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
