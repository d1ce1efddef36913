import type { CommandContext } from '../../command/index.ts'
import type { ResourceNames } from '../names.ts'
import type { ProjectFiles } from '../resource-files.ts'
import { chartCopies, chartProjectFiles } from './chart-project.ts'
import { chartReadme } from './chart-readme.ts'
import { readChart } from './read-chart.ts'

/** A chart of which a project can be made. */
export interface ChartSource {
  /** The kind that is proposed: the name of the chart. */
  readonly kind: string
  projectOf(name: string, resource: ResourceNames): ChartProject
}

/** The parts of a project that come from a chart. */
interface ChartProject {
  readonly readme: string
  readonly files: ProjectFiles
  readonly copies: ReadonlyMap<string, Uint8Array>
  readonly notes: readonly string[]
}

/** Reads the chart in a folder. */
export async function projectFromChart(
  context: CommandContext,
  folder: string,
): Promise<ChartSource> {
  const chart = await readChart(context, folder)
  const words = chart.name.split(/[^A-Za-z0-9]+/).map((word) => word.replace(/^\d+/, ''))
  const kind = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('')
  return {
    kind: kind === '' ? 'Release' : kind,
    projectOf: (name, resource) => ({
      readme: chartReadme(name, resource, chart),
      files: chartProjectFiles(resource, chart),
      copies: chartCopies(chart),
      notes: chart.notes,
    }),
  }
}
