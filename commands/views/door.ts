import type { z } from 'zod'
import type { listDoors } from '../../src/docks/operations/list-doors'
import { type Canvas, table } from '../layout'

type Doors = z.infer<typeof listDoors.output>

export function renderDoors(list: Doors, canvas: Canvas): string {
  return table(
    list,
    [
      { title: '#', text: (door) => String(door.position), align: 'right' },
      { title: 'DOOR', text: (door) => door.name, shrink: 'cut' },
      { title: 'TAKES', text: (door) => door.types.join(', ') },
      { title: '', text: (door) => (door.active ? '' : 'not in use'), color: (text) => canvas.colors.warn(text) },
      { title: 'ID', text: (door) => door.id },
    ],
    canvas,
  )
}
