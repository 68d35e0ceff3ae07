vim9script
# The public functions. Each script is loaded when it is first needed.

import autoload 'ide_companion/comments.vim'
import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/conflict.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/lists.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/review.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/send.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/terminal.vim'
import autoload 'ide_companion/view.vim'

# The proposals that only the browser shows.
def InBrowser(): list<dict<any>>
  return review.Waiting((id) => !empty(diff.WaitingFor(id)))
enddef

# The proposal in the current tab; empty when there is none.
def Current(): dict<any>
  return diff.Find((proposal) => view.IsCurrent(proposal))
enddef

# Runs an action on the proposal of the current tab, else on the oldest.
def WithCurrent(Action: func(dict<any>))
  const here = Current()
  const proposal = empty(here) ? get(diff.Waiting(), 0, {}) : here
  if empty(proposal)
    say.Info(empty(InBrowser()) ? 'No proposal waits for you.' : 'The proposal waits in the browser   :IdeCompanion diff')
  else
    Action(proposal)
  endif
enddef

# Runs a decision on the proposal of the current tab, or on the only one. Of several, the user may have seen none.
def WithSeen(Action: func(dict<any>))
  const waiting = diff.Waiting()
  if len(waiting) < 2 || !empty(Current())
    WithCurrent(Action)
  else
    Enter(waiting[0])
    say.Info(printf('%d proposals wait, and this is the oldest: %s', len(waiting), waiting[0].label))
  endif
enddef

# Decides, and sends the comments with it; `kind` is diffAccepted or diffRejected.
def DecideWithComments(kind: string)
  WithSeen((proposal) => {
    if comments.Expect(proposal)
      diff.Decide(proposal, kind, true)
    endif
  })
enddef

def Enter(proposal: dict<any>)
  view.Enter(proposal)
  if proposal_of.IsReadOnly(proposal)
    say.Info(proposal.readOnlyReason .. '   :IdeCompanion edit')
  endif
enddef

# Goes to the oldest proposal; from a proposal to the next one, or to the one before it when `by` is -1.
def Show(by: number)
  terminal.LeaveFloat()
  const here = Current()
  const waiting = diff.Waiting()
  if empty(waiting) && !empty(InBrowser())
    review.Show(InBrowser())
  elseif empty(here)
    WithCurrent((proposal) => {
      Enter(proposal)
    })
  else
    const index = waiting->mapnew((_, proposal) => proposal.serial)->index(here.serial)
    Enter(waiting[(index + by) % len(waiting)])
  endif
enddef

# Does something about the current proposal, and about more of its agent: `action` is one of `companion/act`.
def Act(action: string, stop_at: list<string> = [])
  WithCurrent((proposal) => {
    stored.ActOnWaiting(action, proposal.id, stop_at)
  })
enddef

# Starts with the first file, unless the option `auto_start` is off.
export def AutoStart()
  if config.Options().auto_start && !server.IsOfGit()
    server.Start()
  endif
enddef

export def Start()
  server.Start()
enddef

export def Stop()
  server.Stop()
enddef

export def Restart()
  server.Restart()
enddef

# Agents receive no context of this project until Resume().
export def Pause()
  stored.Pause(true)
enddef

# Agents receive the context of this project again.
export def Resume()
  stored.Pause(false)
enddef

# Says when the user looks at what agents write here, or sets it: `before`, `after`, `off`.
export def Review(mode = '')
  stored.Review(mode)
enddef

# Accepts the proposal of the current tab, or else the only one; goes to the oldest of several.
export def Accept()
  WithSeen((proposal) => {
    diff.Decide(proposal, 'diffAccepted')
  })
enddef

# Rejects the proposal of the current tab, or else the only one; goes to the oldest of several.
export def Reject()
  WithSeen((proposal) => {
    diff.Decide(proposal, 'diffRejected')
  })
enddef

# Asks for a comment on lines of the proposal in the current tab.
export def Comment(first: number, last: number)
  WithCurrent((proposal) => {
    comments.Ask(proposal, first, last)
  })
enddef

# Accepts the proposal and sends the comments on it, to ask for more.
export def AskMore()
  DecideWithComments('diffAccepted')
enddef

# Rejects the proposal and sends the comments on it, to say why.
export def SayWhy()
  DecideWithComments('diffRejected')
enddef

# Lists the comments that no agent has received.
export def Comments()
  stored.Show('comments')
enddef

# Goes to the oldest proposal; from a proposal to the next one.
export def Diff()
  Show(1)
enddef

# Goes to the proposal before; without one in this tab, to the oldest.
export def Previous()
  Show(-1)
enddef

# Lists the proposals in the quickfix list.
export def List()
  WithCurrent((_) => {
    lists.ShowProposals()
  })
enddef

# Lists the changes of the proposal in the location list.
export def Hunks()
  WithCurrent((proposal) => {
    lists.ShowHunks(proposal)
  })
enddef

# Accepts all proposals after one question.
export def AcceptAll()
  stored.ActOnWaiting('accept')
enddef

# Rejects all proposals after one question.
export def RejectAll()
  stored.ActOnWaiting('reject')
enddef

# Accepts all that wait of the agent whose proposal is current, after one question.
export def AcceptRest()
  Act('accept-agent')
enddef

# Accepts what that agent proposes until its turn ends, after one question. `stop_at` are patterns of files that wait for
# the user all the same, as in a `.gitignore`.
export def AcceptAhead(stop_at: list<string> = [])
  Act('accept-ahead', stop_at)
enddef

# From now on the user decides again.
export def StopAhead()
  stored.ActOnWaiting('stop-ahead')
enddef

# Lists what was decided earlier; only decisions whose file, agent or outcome holds `wanted`.
export def History(wanted = '')
  stored.Show('history', wanted)
enddef

# Lists what agents wrote without asking; only what holds `wanted`.
export def Written(wanted = '')
  stored.Show('written', wanted)
enddef

# Lets the user edit a proposal whose agent takes no edits: that of the current tab, or else the oldest.
export def Edit()
  WithCurrent((proposal) => {
    proposal_of.Unlock(proposal)
    Enter(proposal)
    view.Refresh(proposal)
    if proposal.ownVersion
      say.Info(printf(':w lets %s write its own text, then :IdeCompanion edits offers yours', proposal.agent))
    endif
  })
enddef

# Lists the recovered edits.
export def Edits()
  stored.Show('edits')
enddef

# Compares a buffer that has unsaved changes with its file, which holds an accepted change.
export def Merge()
  conflict.Merge()
enddef

# Shows an agent in a terminal of this Vim; hides it when the user is in it. `ide-companion run` accepts `agent`, without
# `:2` for a second terminal. By default it is the one that was shown last, or the user chooses.
export def Run(agent = '', arguments: list<string> = [])
  terminal.Run(agent, arguments)
enddef

# The same with the agent's last session of this folder.
export def Continue(agent = '')
  terminal.Continue(agent)
enddef

# Hides the terminal of an agent where the tab shows it, and shows it otherwise.
export def Toggle(agent = '')
  terminal.Toggle(agent)
enddef

# Goes to the terminal of an agent, and from there back.
export def Focus(agent = '')
  terminal.Focus(agent)
enddef

# Hides the terminals of all agents in this tab.
export def Hide()
  terminal.Hide()
enddef

# Puts a reference into an agent's prompt: to lines of the current file, or to what netrw shows on these lines.
export def Send(first: number, last: number)
  send.Lines(first, last)
enddef

# The same for files and folders.
export def SendPaths(paths: list<string>)
  send.Paths(paths)
enddef

# Types the diagnostics of lines of the current file into an agent's prompt.
export def SendDiagnostics(first: number, last: number)
  send.Diagnostics(first, last)
enddef

# Types a text into an agent's prompt; an empty one is asked for. `lines`, the first and the last one of the current
# file, puts a reference before it.
export def SendText(words = '', lines: list<number> = [])
  send.Text(words, lines)
enddef

# { port, sessions: list of { agent, connectedAt }, diffs: list of { id, agent, filePath, openedAt }, paused }; `port` is
# 0 when nothing runs.
export def Status(): dict<any>
  const now = status.Get()
  return {port: now.port, sessions: deepcopy(now.sessions), diffs: deepcopy(now.diffs), paused: get(now, 'paused', false)}
enddef

# For a status line: the connected agents, and the number of open proposals in parentheses.
export def Statusline(): string
  return status.Component()
enddef

defcompile
