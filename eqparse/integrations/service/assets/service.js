// Asking the service, and its errors in words.

export const AT_ONCE = 32; // sentences in one request, so that hundreds of them appear little by little
const PATIENCE = 60_000; // milliseconds
let alternatives = 4;

export class Problem extends Error {
  constructor(title, advice, { status = 0, said = "" } = {}) {
    super(title);
    Object.assign(this, { advice, status, said });
  }
}

const TITLES = {
  404: "The service does not know this address.",
  408: "The sentence took too long to arrive.",
  422: "The service does not take this request.",
  429: "The service has too much to do at the moment.",
  500: "The service failed. This is its fault, not that of the sentence.",
  502: "The service does not answer.",
  503: "The service is not ready.",
  504: "The service took too long.",
};

const ADVICE = { 422: "Change the text and try again." };

// The parses of some texts, in order. Throws a Problem, or an AbortError if the signal says so.
export async function ask(texts, options = {}) {
  try {
    return await request(texts, options);
  } catch (error) {
    if (error.status === 422 && alternatives) { // a model without a calibration has none, and a service may give fewer
      alternatives = 0;
      return ask(texts, options);
    }
    if (error.status !== 413) throw error;
    if (texts.length === 1) return [refused(texts[0], error)];
    const half = Math.ceil(texts.length / 2);
    return [...await ask(texts.slice(0, half), options), ...await ask(texts.slice(half), options)];
  }
}

// What stands for the parse of a text that the service does not take, so that the others go on.
const refused = (text, error) => ({
  text, equation: null, variables: {}, phrases: {}, quantities: [], tree: null, confidence: null, alternatives: [],
  explanation: [], reason: `the service does not take so long a text: ${error.said.replace(/^texts?(\[\d+\])?: /, "")}`, reason_code: "too_long",
});

async function request(texts, { explain = false, signal }) {
  let response, body;
  try {
    response = await fetch("parse", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ texts, alternatives, explain }),
      signal: AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(signal ? [signal] : [])]),
    });
    body = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error.name === "TimeoutError") throw new Problem(TITLES[504], "Try again, or with less text.");
    throw new Problem(TITLES[502], "It may have stopped, or the connection is gone. Your text is kept here; try again.");
  }
  const data = parsed(body);
  if (!response.ok) throw refusal(response, data);
  if (data?.parses?.length !== texts.length) throw new Problem("What answered is not this service.", "Reload the page.");
  return data.parses;
}

function refusal(response, data) {
  const { status } = response;
  const seconds = Number(response.headers.get("Retry-After"));
  const wait = seconds > 0 ? `Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.` : "Try again in a moment.";
  const said = detail(data);
  return new Problem(TITLES[status] ?? `The service answered with the error ${status}.`,
    [said && `It says: ${said}`, ADVICE[status] ?? wait].filter(Boolean).join(" "), { status, said });
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

// The service says {"detail": "..."}; what stands before it may say anything.
function detail(data) {
  const said = typeof data?.detail === "string" ? data.detail : "";
  return said.replace(/[^.!?]$/, "$&.");
}
