import { type Program, type Progress, type Report, simulate, type Tier } from '@setpoint/sim'
import type { AnyResourceDefinition } from 'setpoint'
import type { Clock } from 'setpoint/host'
import type { SimSettings } from '../project/index.ts'
import type { SimulatedResource } from './simulated-resources.ts'

/** How a project is simulated. */
interface ProjectSimulation {
  readonly program: Program
  readonly resources: readonly SimulatedResource[]
  /** What package.json says about the operators. */
  readonly settings: SimSettings | undefined
  readonly tier: Tier
  /** How much time the runs of all resources may take. */
  readonly budgetMs: number
  readonly seed: number
  /** The simulation of a resource begins. */
  readonly onResource?: (definition: AnyResourceDefinition) => void
  readonly onProgress?: (definition: AnyResourceDefinition, progress: Progress) => void
}

/** The report about a resource. */
export interface ResourceReport {
  readonly definition: AnyResourceDefinition
  readonly report: Report
}

/**
 * Simulates all resources of a project, one after the other, with all of its operators. What one
 * resource leaves of its share of the time is for the others.
 */
export async function simulateProject(
  clock: Clock,
  options: ProjectSimulation,
): Promise<ResourceReport[]> {
  const { program, resources, settings, tier, budgetMs, seed } = options
  const deadlineMs = clock.monotonicMs() + budgetMs
  const reports: ResourceReport[] = []
  for (const [index, { definition, samples }] of resources.entries()) {
    options.onResource?.(definition)
    const shareMs = (deadlineMs - clock.monotonicMs()) / (resources.length - index)
    const report = await simulate(program, {
      ...settings,
      samples,
      resource: definition,
      tier,
      // A share of nothing still gives the run without faults.
      budget: Math.max(1, Math.round(shareMs)),
      seed,
      onProgress: (progress) => options.onProgress?.(definition, progress),
    })
    reports.push({ definition, report })
  }
  return reports
}
