import { type AgentName, agents } from "../../../agents.ts";
import type { Source } from "../../requirement.ts";

/** Both published specifications have the same sections and, except for names, the same content. */
export const specification = (section: string, says: string): Source => ({
  kind: "specification",
  location: `both specifications, ${section}`,
  says,
});

/** The published specification of one agent. */
export const specificationOf = (agent: AgentName, section: string, says: string): Source => ({
  kind: "specification",
  location: `${agents[agent].title}'s specification, ${section}`,
  says,
});

/** The protocol page of an existing Neovim companion. */
export const neovimPage = (section: string, says: string): Source => ({
  kind: "specification",
  location: `the Neovim companion's protocol page, ${section}`,
  says,
});
