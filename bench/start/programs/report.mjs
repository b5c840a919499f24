/** Prints what the first answer took, and the amount in it. */
export function report(answer) {
  const milliseconds = performance.now();
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ milliseconds, cpu: (user + system) / 1000, answer: answer() }));
}

/** Of a quote, or of the last item of a page. */
export const amountOf = (data) => data.to?.amount ?? data.at(-1).fees.to.amount;
