import type { StepState, StepStatus } from '../definition/index.ts'
import type { StepLeaf, StepNode } from './step-node.ts'

/** A step with its name in the status: the names of its groups and its own, `drain/first`. */
export interface NamedLeaf {
  readonly id: string
  readonly leaf: StepLeaf
}

const passedStates: readonly StepState[] = ['Complete', 'Skipped']

/** All single steps in their order. */
export function leavesOf(steps: readonly StepNode[], prefix = ''): NamedLeaf[] {
  return steps.flatMap((node) => {
    const id = `${prefix}${node.name}`
    return 'steps' in node ? leavesOf(node.steps, `${id}/`) : [{ id, leaf: node }]
  })
}

/** The steps that may work now: in a series the first that has not passed, in parallel all. */
export function activeLeaves(
  steps: readonly StepNode[],
  statuses: readonly StepStatus[],
): NamedLeaf[] {
  const passed = new Set(
    statuses.filter(({ state }) => passedStates.includes(state)).map(({ name }) => name),
  )
  return activeIn({ is: 'serial', name: '', steps }, { id: '', passed })
}

function activeIn(
  node: StepNode,
  { id, passed }: { readonly id: string; readonly passed: ReadonlySet<string> },
): NamedLeaf[] {
  if (!('steps' in node)) return passed.has(id) ? [] : [{ id, leaf: node }]
  const prefix = id === '' ? '' : `${id}/`
  const active: NamedLeaf[] = []
  for (const step of node.steps) {
    active.push(...activeIn(step, { id: `${prefix}${step.name}`, passed }))
    if (node.is === 'serial' && active.length > 0) break
  }
  return active
}
