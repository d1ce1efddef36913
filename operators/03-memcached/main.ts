import { run } from 'setpoint'
import memcached from './operator.ts'
await run([memcached])
