import type * as z from 'zod'

/** A field of an event that is absent if it has another shape, because an event is only asked for what it has of it. */
export function ifValid<Shape extends z.ZodType>(shape: Shape) {
  return shape.optional().catch(undefined)
}

/** How a tracker reports changes. */
export interface HookFormat {
  /**
   * The keys of the items that an event is about, as `Tracker.resolveKeys` takes them. Nothing else of the event is used: the items are read
   * from the tracker.
   */
  listKeys(event: unknown): string[]
  /** What a person enters in the tracker, and where. */
  describe(hook: TrackerHook, tracker: { url: string; project: string | null }): HookInstructions
}

/** Where a tracker sends its events, and what it proves itself with. */
export interface TrackerHook {
  /** Of the service: `https://studio.example.com/api/tracker/hooks/gh`. */
  url: string
  secret: string
}

export interface HookInstructions {
  /** The web page of the tracker; null if it is not known. */
  page: string | null
  /** The fields of that page with their values. */
  fields: { name: string; value: string }[]
  /** The events to choose there. */
  events: readonly string[]
}

/** What became of a registration. */
export interface HookRegistration {
  outcome: 'created' | 'updated'
  /** The events, in the tracker's own names. */
  events: readonly string[]
}
