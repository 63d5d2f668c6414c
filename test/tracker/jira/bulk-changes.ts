import type { Reply } from '../azure-devops/stub-server'
import { editIssue } from './edit-issue'
import { type FakeIssue, type JiraSite, VIEWER } from './jira-site'
import { moveIssue } from './transitions'
import { toUser, type Wire } from './wire-issue'

interface Task extends Wire {
  taskId: string
}

const LARGEST = 1000
const tasks = new WeakMap<JiraSite, Map<string, { task: Task; isRead: boolean }>>()

/** Changes fields of many issues. The response is only the ID of a task. */
export function startBulkEdit(site: JiraSite, body: Wire): Reply {
  const fields = toFields(body['editedFieldsInput'] ?? {})
  return start(site, body['selectedIssueIdsOrKeys'], (issue) => Object.values(editIssue(site, issue, fields)))
}

export function startBulkTransition(site: JiraSite, { bulkTransitionInputs }: Wire): Reply {
  const transitions = new Map<string, string>()
  for (const { selectedIssueIdsOrKeys, transitionId } of bulkTransitionInputs)
    for (const one of selectedIssueIdsOrKeys) transitions.set(String(site.find(one)?.id ?? one), transitionId)
  return start(site, [...transitions.keys()], (issue) => {
    const problem = moveIssue(site, issue, transitions.get(String(issue.id))!)
    return problem ? [problem] : []
  })
}

/** The first reading finds the task running. */
export function readTask(site: JiraSite, taskId: string): Reply {
  const found = tasks.get(site)?.get(taskId)
  if (!found) return { status: 404, json: { errorMessages: ['The task was not found.'], errors: {} } }
  const isRunning = !found.isRead
  found.isRead = true
  return { json: { ...found.task, ...(isRunning ? { status: 'RUNNING', progressPercent: 0 } : {}) } }
}

function start(site: JiraSite, idsOrKeys: readonly string[], change: (issue: FakeIssue) => string[]): Reply {
  if (idsOrKeys.length > LARGEST)
    return { status: 400, json: { errorMessages: [`You can select at most ${LARGEST} issues.`], errors: {} } }
  const processed: number[] = []
  const failed: Record<string, string[]> = {}
  const found = idsOrKeys.map((one) => site.find(one)).filter((one) => one !== null)
  for (const issue of found) {
    const problems = change(issue)
    if (problems.length > 0) failed[issue.id] = problems
    else {
      processed.push(issue.id)
      issue.updated = site.tick()
    }
  }
  const at = site.formatTime(site.now)
  const task: Task = {
    taskId: String(site.takeId()),
    status: 'COMPLETE',
    progressPercent: 100,
    submittedBy: toUser(site, VIEWER),
    created: at,
    started: at,
    updated: at,
    processedAccessibleIssues: processed,
    failedAccessibleIssues: failed,
    invalidOrInaccessibleIssueCount: idsOrKeys.length - found.length,
    totalIssueCount: idsOrKeys.length,
  }
  if (!tasks.has(site)) tasks.set(site, new Map())
  tasks.get(site)!.set(task.taskId, { task, isRead: false })
  return { status: 201, json: { taskId: task.taskId } }
}

/** The input of the bulk API as that of an edit. */
function toFields(input: Wire): Wire {
  const fields: Wire = {}
  const update: Wire = {}
  for (const { fieldId, text } of input['singleLineTextFields'] ?? []) fields[fieldId] = text
  for (const { fieldId, richText } of input['richTextFields'] ?? []) fields[fieldId] = richText.adfValue ?? null
  for (const { fieldId, value } of input['clearableNumberFields'] ?? []) fields[fieldId] = value ?? null
  for (const { fieldId, user } of input['singleSelectClearableUserPickerFields'] ?? []) fields[fieldId] = user ?? null
  if (input['priority']) fields['priority'] = { id: input['priority'].priorityId }
  for (const { bulkEditMultiSelectFieldOption: how, labels } of input['labelsFields'] ?? []) {
    const names = (labels as Wire[]).map(({ name }) => name)
    if (how === 'REPLACE') fields['labels'] = names
    else if (how === 'REMOVE_ALL') fields['labels'] = []
    else update['labels'] = names.map((name) => ({ [how.toLowerCase()]: name }))
  }
  return { fields, update }
}
