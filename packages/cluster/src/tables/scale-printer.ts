import type { JsonObject } from 'setpoint/schema'
import { nameOf } from '../object/index.ts'
import { ageOf } from './age.ts'
import { nameDescription } from './name-column.ts'
import type { TablePrinter } from './table.ts'

interface Scale {
  readonly spec?: { readonly replicas?: number }
  readonly status?: { readonly replicas?: number }
}

/** The printer of a Scale; the Scale of a custom resource has other column formats. */
export function scalePrinter({ isCustom }: { readonly isCustom: boolean }): TablePrinter {
  return isCustom ? customScalePrinter : builtinScalePrinter
}

const builtinScalePrinter = makePrinter({ nameFormat: '', ageType: 'string' })
const customScalePrinter = makePrinter({ nameFormat: 'name', ageType: 'date' })

function makePrinter({
  nameFormat,
  ageType,
}: Record<'nameFormat' | 'ageType', string>): TablePrinter {
  const columns = [
    { name: 'Name', type: 'string', format: nameFormat, description: nameDescription, priority: 0 },
    { name: 'Desired', type: 'integer', format: '', description: '', priority: 0 },
    { name: 'Available', type: 'integer', format: '', description: '', priority: 0 },
    { name: 'Age', type: ageType, format: '', description: '', priority: 0 },
  ]
  const row = (object: JsonObject, nowMs: number) => {
    const { spec, status } = object as Scale
    const counts = [spec?.replicas ?? 0, status?.replicas ?? 0]
    return { cells: [nameOf(object), ...counts, ageOf(object, nowMs)] }
  }
  return { columns, row }
}
