import type { NoticeKind } from '../../src/open-trackers'
import type { Studio } from '../../src/studio'

/** What the operations of one command share: the first one opens it. */
export interface Session {
  opened?: OpenedStudio | undefined
}

export interface OpenedStudio {
  studio: Studio
  notices: Notices
}

export interface Notices {
  push(text: string, kind?: NoticeKind): void
  flush(): void
}
