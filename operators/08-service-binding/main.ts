import { run } from 'setpoint'
import operators from './operator.ts'
await run(operators)
