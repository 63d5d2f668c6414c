/** What to ask before a change that leaves appointments in conflict; null where it leaves none. */
export function formatConflictQuestion({ conflicts }: { conflicts: readonly unknown[] }): string | null {
  const count = conflicts.length
  if (count === 0) return null
  return count === 1
    ? 'One scheduled appointment would stand in conflict, and stay where it is. Go on?'
    : `${count} scheduled appointments would stand in conflict, and stay where they are. Go on?`
}
