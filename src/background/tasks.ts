import type { PureTask } from '../kernel'

type AnyTask = PureTask<any[], unknown>

/** What a thread can compute, by group. Each group is loaded when it is needed. */
const groups: Record<string, () => Promise<Record<string, AnyTask>>> = {
  items: async () => (await import('../items/rules/tasks')).itemTasks,
  'item-edits': async () => (await import('../items/services/update/select-edits')).editTasks,
  planning: async () => (await import('../docks/planning/solver/tasks')).planningTasks,
  drafts: async () => (await import('../drafts/tasks')).draftTasks,
  assistant: async () => (await import('../assistant/rules/story')).assistantTasks,
  'rich-text': async () => (await import('../rich-text/rules/tasks')).richTextTasks,
}

/** @param name `items.addHtml` */
export async function loadTask(name: string): Promise<AnyTask['run']> {
  const [group, key] = name.split('.') as [string, string]
  return (await groups[group]!())[key]!.run
}
