import { createItem, type FakeItem, type FakeState, nameOf, numberOf, PROJECT, VIEWER } from './fake-item'

interface Input {
  [name: string]: any
}

/** The mutations of the API. They report problems of values in their results. */
export function createMutations({ items, options, tick, find, toItem, toNote }: FakeState) {
  /** Runs the quick actions of a text that this server knows, and returns the text without them. */
  const runActions = (item: FakeItem, text: string): string =>
    text
      .replaceAll('\r', '')
      .replace(/^```.+?\n```$|^\/(close|done)(?: [^\n]*)?(?:\s*\n|$)/gims, (found, action?: string) => {
        if (action === undefined) return found
        setState(item, 'CLOSED')
        return ''
      })
      .trimEnd()
  const touch = (item: FakeItem) => {
    item.updatedAt = tick()
    item.lockVersion += 1
  }
  const setState = (item: FakeItem, state: FakeItem['state']) => {
    item.state = state
    item.closedAt = state === 'CLOSED' ? tick() : null
  }

  function apply(item: FakeItem, input: Input): void {
    const { title, descriptionWidget, assigneesWidget, labelsWidget, milestoneWidget, iterationWidget } = input
    if (title !== undefined) item.title = title
    if (descriptionWidget) item.description = runActions(item, descriptionWidget.description)
    if (assigneesWidget) item.assignees = assigneesWidget.assigneeIds.map((id: string) => nameOf(id, 'User'))
    const toNames = (ids: string[] = []) => ids.map((id) => nameOf(id, 'GroupLabel'))
    if (labelsWidget)
      item.labels = [
        ...item.labels.filter((label) => !toNames(labelsWidget.removeLabelIds).includes(label)),
        ...toNames(labelsWidget.labelIds),
        ...toNames(labelsWidget.addLabelIds),
      ]
    if (milestoneWidget)
      item.milestone = milestoneWidget.milestoneId && nameOf(milestoneWidget.milestoneId, 'Milestone')
    if (iterationWidget)
      item.iteration = iterationWidget.iterationId && nameOf(iterationWidget.iterationId, 'Iteration')
    if (input['weightWidget']) item.weight = input['weightWidget'].weight
    if (input['healthStatusWidget']) item.healthStatus = input['healthStatusWidget'].healthStatus
    const { startDate, dueDate } = input['startAndDueDateWidget'] ?? {}
    if (startDate !== undefined) item.startDate = startDate
    if (dueDate !== undefined) item.dueDate = dueDate
    const parentId = input['hierarchyWidget']?.parentId
    if (parentId !== undefined) item.parent = parentId === null ? null : find(parentId).id
    if (input['stateEvent']) setState(item, input['stateEvent'] === 'CLOSE' ? 'CLOSED' : 'OPEN')
    if (input['statusWidget']) {
      item.status = nameOf(input['statusWidget'].status, 'WorkItems::Statuses::Status')
      const { category = 'TO_DO' } = options.statuses?.find(({ name }) => name === item.status) ?? {}
      setState(item, category === 'DONE' || category === 'CANCELED' ? 'CLOSED' : 'OPEN')
    }
    for (const one of input['customFieldsWidget'] ?? []) {
      const field = (options.customFields ?? []).find(({ id }) => id === numberOf(one.customFieldId))!
      const chosen = one.selectedOptionIds?.map((id: string) => nameOf(id, 'Issuables::CustomFieldSelectOption'))
      item.custom[field.name] = chosen ?? one.numberValue ?? one.textValue ?? one.dateValue ?? null
    }
    touch(item)
  }

  const done = (values: object = {}) => ({ errors: [], ...values })
  const failed = (...errors: string[]) => ({ errors })
  const findNote = (gid: string) => {
    for (const item of items.values()) {
      const note = item.notes.find(({ id }) => id === numberOf(gid))
      if (note) return { item, note }
    }
    return null
  }

  return {
    workItemCreate({ input }: { input: Input }) {
      if (input['title'].trim() === '') return failed("Title can't be blank")
      const id = Math.max(0, ...items.keys()) + 1
      const type = nameOf(input['workItemTypeId'], 'WorkItems::Type')
      const item = createItem({ id, type, namespace: input['namespacePath'] ?? PROJECT }, tick())
      items.set(id, item)
      apply(item, input)
      return done({ workItem: toItem(item) })
    },
    workItemUpdate({ input }: { input: Input }) {
      const item = find(input['id'])
      if (input['title']?.trim() === '') return failed("Title can't be blank")
      apply(item, input)
      return done({ workItem: toItem(item) })
    },
    workItemDelete({ input }: { input: Input }) {
      const { id } = find(input['id'])
      items.delete(id)
      for (const other of items.values()) if (other.parent === id) other.parent = null
      return done()
    },
    workItemAddLinkedItems({ input }: { input: Input }) {
      const item = find(input['id'])
      for (const other of input['workItemsIds'].map(find)) {
        if (input['linkType'] === 'BLOCKED_BY') other.links.push({ type: 'blocks', to: item.id })
        else item.links.push({ type: input['linkType'] === 'BLOCKS' ? 'blocks' : 'relates_to', to: other.id })
      }
      return done({ workItem: toItem(item) })
    },
    workItemRemoveLinkedItems({ input }: { input: Input }) {
      const item = find(input['id'])
      for (const other of input['workItemsIds'].map(find) as FakeItem[]) {
        item.links = item.links.filter(({ to }) => to !== other.id)
        other.links = other.links.filter(({ to }) => to !== item.id)
      }
      return done({ workItem: toItem(item) })
    },
    createNote({ input }: { input: Input }) {
      const item = find(input['noteableId'])
      if (input['body'].trim() === '') return failed("Note can't be blank")
      const body = runActions(item, input['body'])
      if (body === '') return failed('Commands only')
      const id = 1 + Math.max(4_000, ...[...items.values()].flatMap(({ notes }) => notes.map((note) => note.id)))
      const note = { id, author: VIEWER, body, createdAt: tick() }
      item.notes.push(note)
      return done({ note: toNote(note) })
    },
    updateNote({ input }: { input: Input }) {
      const found = findNote(input['id'])
      if (found === null || found.note.author !== VIEWER) return failed('The note cannot be changed.')
      found.note.body = runActions(found.item, input['body'])
      return done({ note: toNote(found.note) })
    },
    destroyNote({ input }: { input: Input }) {
      const found = findNote(input['id'])
      if (found === null) return failed('The note is gone.')
      found.item.notes = found.item.notes.filter(({ id }) => id !== found.note.id)
      return done({ note: null })
    },
    timelogCreate({ input }: { input: Input }) {
      const item = find(input['issuableId'])
      const seconds = /^(\d+)s$/.exec(input['timeSpent'])?.[1]
      if (seconds === undefined) return failed('Time spent must be formatted correctly. For example: 1h 30m.')
      const id = item.timelogs.length + 1
      const one = {
        id,
        user: VIEWER,
        spentAt: input['spentAt'] ?? tick(),
        timeSpent: Number(seconds),
        summary: input['summary'],
      }
      item.timelogs.push(one)
      const user = { id: `gid://gitlab/User/${VIEWER}`, username: VIEWER, name: 'Robin Vale' }
      return done({ timelog: { ...one, id: `gid://gitlab/Timelog/${id}`, user } })
    },
  }
}
