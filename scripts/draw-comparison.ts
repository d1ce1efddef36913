// `npm run draw:comparison`: draws docs/images/comparison.svg from the numbers in docs/measurements/operator.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { comparisonSvg } from './comparison-svg.ts'

const measured = readFileSync(new URL('../docs/measurements/operator.md', import.meta.url), 'utf8')
writeFileSync(new URL('../docs/images/comparison.svg', import.meta.url), comparisonSvg(measured))
