import { ClassificationTree } from './classification-tree'
import { getLastRevision, type Item, rebuildItem } from './item'
import { LinkGraph } from './links'
import { People } from './people'
import type { LinkChange, SandboxState } from './state'

/** What one request changes, not yet applied. */
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

/** A state in memory, with what finds things in it. Reads cost what they return; the state that it was made from is left alone. */
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

  /** That of the next save or link change. */
  get nextWatermark(): number {
    return this.watermark + 1
  }

  /** Null for one that is in the recycle bin too. */
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

  /** What undoes everything applied from now on. */
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
