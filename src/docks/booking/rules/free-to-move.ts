/**
 * Whether an appointment may be moved for others, as far as its door is concerned: it is not pinned, and its contacts do not know its door, or
 * the facility allows it all the same.
 */
export function isFreeToMove(
  { pinned, doorAnnouncedAt }: { pinned: number; doorAnnouncedAt: number | null },
  { moveAnnounced }: { moveAnnounced: boolean },
): boolean {
  return pinned === 0 && (doorAnnouncedAt === null || moveAnnounced)
}
