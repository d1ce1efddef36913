import type { Fault, Plan } from './plan.ts'

/** A plan for people. */
export function planText({ faults, compare }: Plan): string {
  if (compare !== undefined) return comparisonTexts[compare]
  return faults.length === 0 ? 'no fault is needed' : faults.map(faultText).join(' and ')
}

const comparisonTexts = {
  uninterrupted: 'the program runs without a restart, and no fault happens',
  created: 'compared with an object that is created with this spec; no fault happens',
  second: 'a second object exists; no fault happens',
}

/** A fault for people. */
export function faultText(fault: Fault): string {
  switch (fault.type) {
    case 'crash-before':
      return `the process crashes before its write ${fault.write}`
    case 'crash-after':
      return `the process crashes after its write ${fault.write}, without its answer`
    case 'crash-long':
      return `the process crashes after its write ${fault.write}, and starts again ${seconds(fault.downMs)} later`
    case 'crash-late':
      return `the process crashes at its write ${fault.write}, which is executed 6 s later`
    case 'lose-answer':
      return `the answer to write ${fault.write} is lost`
    case 'conflict':
      return `another client changes the object before write ${fault.write}`
    case 'error':
      return `write ${fault.write} is answered with ${fault.code}`
    case 'next-step':
      return `the user does the last step before write ${fault.write}`
    case 'lag':
      return `the program does not see its write ${fault.write} for ${seconds(fault.forMs)}`
    case 'hold':
      return `the program sees no changes of ${fault.resource} for ${seconds(fault.forMs)}`
    case 'relist':
      return `the program sees only the result of ${countText(fault.steps)}: its watches expire`
    case 'absent':
      return `the program does not run during ${countText(fault.steps)}`
    case 'travel':
      return travelText(fault)
    case 'slow-controllers':
      return `the controllers of Kubernetes are ${seconds(fault.byMs)} late`
    case 'reversed-lists':
      return 'lists are answered in the opposite order'
    case 'pause':
      return `the leader stops before its write ${fault.write} for ${seconds(fault.forMs)}, while another replica takes over`
    case 'clock':
      return `the clock of the program is ${seconds(fault.byMs)} ahead`
    case 'call-lost':
      return `the answer to call ${fault.call} of an external system is lost`
    case 'call-failed':
      return `call ${fault.call} of an external system fails`
    case 'call-limited':
      return `call ${fault.call} of an external system is answered with 429: too many requests`
    case 'call-repeated':
      return `call ${fault.call} of an external system is executed twice`
    case 'call-late':
      return `call ${fault.call} of an external system times out, and is executed later`
    case 'stale-calls':
      return `external systems show their changes ${seconds(fault.forMs)} late`
  }
}

function travelText({ change, resource, forMs }: Extract<Fault, { type: 'travel' }>): string {
  const view = change === 0 ? 'before the first step' : `after change ${change} of the first step`
  const what = resource === undefined ? 'the state' : `the state of ${resource}`
  return `the process crashes, and starts at an API server that shows ${what} ${view} for ${seconds(forMs)}`
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}

function countText(steps: number): string {
  return steps === 1 ? 'the step' : `${steps} steps`
}
