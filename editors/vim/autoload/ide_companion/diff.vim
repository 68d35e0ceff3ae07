vim9script
# The proposals that wait for a decision. proposal.vim has their buffers, view.vim their windows.

import autoload 'ide_companion/draft.vim'
import autoload 'ide_companion/event.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/reload.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/view.vim'

# A change that is accepted ahead is decided within that time.
const accepted_ahead_ms = 500

# Oldest first.
var proposals: list<dict<any>> = []
# Numbers proposals uniquely: the ids of the server start again with each server.
var serial = 0

def Announce(name: string, proposal: dict<any>)
  event.Emit(name, {id: proposal.id, agent: proposal.agent, path: proposal.filePath})
enddef

# The proposal with a number that autocommands know; empty when it is gone.
export def BySerial(number: number): dict<any>
  return Find((proposal) => proposal.serial == number)
enddef

# The oldest that fits; empty when there is none.
# (`any`, because Vim does not know what a function of another script returns before it is loaded.)
export def Find(Fits: func(dict<any>): any): dict<any>
  for proposal in proposals
    if Fits(proposal)
      return proposal
    endif
  endfor
  return {}
enddef

# All of them, oldest first.
export def Waiting(): list<dict<any>>
  return copy(proposals)
enddef

# Closes a proposal and everything that was opened for it.
def CloseProposal(proposal: dict<any>)
  draft.Flush(proposal)
  filter(proposals, (_, other) => other isnot proposal)
  view.Close(proposal, () => {
    proposal_of.Delete(proposal)
    timer_start(0, (_) => ShowNext())
  })
enddef

# Opens the oldest that the user has not decided, unless another one has the tab.
def ShowNext()
  const next = Find((one) => !one.deciding)
  if !empty(next)
    view.OpenWhenCalm(next)
  endif
enddef

# Closes a proposal that is not accepted. What the user has typed is saved in a listed buffer that no window shows and
# nothing deletes. `sentence` says why it closes.
def CloseAndSaveEdits(proposal: dict<any>, sentence: string)
  const content = proposal_of.TextOf(proposal)
  CloseProposal(proposal)
  if content !=# proposal.newContent
    const buffer = text.NewBuffer('Your text', proposal.label, content)
    setbufvar(buffer, '&buflisted', true)
    say.Warn(printf('%s Your edits are saved in buffer %d.', sentence, buffer))
  else
    say.Info(sentence)
  endif
enddef

def OnAccepted(proposal: dict<any>, notice: string)
  CloseProposal(proposal)
  reload.Expect(proposal)
  say.Info(notice ?? printf('Accepted: %s.', proposal.label))
  Announce('DiffAccepted', proposal)
enddef

# The decision does not count. An accepted proposal stays open.
def OnRefused(proposal: dict<any>, kind: string, reason: string)
  if kind == 'diffRejected'
    CloseAndSaveEdits(proposal, reason) # it was decided elsewhere, and its window is closed
    return
  endif
  say.Warn(reason)
  setbufvar(proposal.proposed, '&modified', true)
  view.OpenWhenCalm(proposal) # `:wq` has closed it
enddef

def IsWaiting(proposal: dict<any>): bool
  return !empty(BySerial(proposal.serial))
enddef

# Sends the user's decision: `kind` is diffAccepted or diffRejected. `with_comments`: its agent is to hear the user's
# comments. `sentence` says that it is rejected.
export def Decide(proposal: dict<any>, kind: string, with_comments = false, sentence = 'Rejected: %s.')
  if proposal.deciding || !IsWaiting(proposal)
    return
  endif
  if proposal.ended != ''
    CloseAndSaveEdits(proposal, printf('%s: %s.', proposal.ended, proposal.label))
    return
  endif
  proposal.deciding = true
  var params = {id: proposal.id}
  if kind == 'diffAccepted'
    params.content = proposal_of.TextOf(proposal)
    extend(params, proposal.ownVersion ? {ownVersion: true} : {})
    proposal_of.MarkWritten(proposal)
  endif
  extend(params, with_comments ? {withComments: true} : {})
  draft.Flush(proposal) # what its agent takes no edits of can be recovered after a rejection
  server.Request('companion/' .. kind, params, (answer, failure) => {
    const result: dict<any> = answer ?? {taken: false, reason: failure.message}
    proposal.deciding = false
    if !IsWaiting(proposal)
      return # its agent was quicker
    elseif !result.taken
      OnRefused(proposal, kind, get(result, 'reason', 'The decision does not count.'))
    elseif kind == 'diffAccepted'
      OnAccepted(proposal, get(result, 'notice', ''))
    else
      CloseAndSaveEdits(proposal, printf(sentence, proposal.label))
      Announce('DiffRejected', proposal)
    endif
  })
enddef

# Whether the user writes. Plugins that save files do that in an autocommand or in a timer.
def IsByUser(): bool
  return state('c') == '' && count(expand('<stack>'), ' Autocommands for ') == 1
enddef

# The user's own `:w` in its tab accepts it.
export def OnWritten(proposal: dict<any>)
  if !IsByUser()
    if !has_key(proposal, 'has_explained')
      proposal.has_explained = true # once: a plugin may save whenever the user stops typing
      say.Info(printf('Only your own :w accepts %s, a plugin does not.', proposal.label))
    endif
  elseif view.IsCurrent(proposal)
    Decide(proposal, 'diffAccepted')
  else
    say.Warn(printf('The proposal for %s is accepted by :w in its own tab only.', proposal.label))
  endif
enddef

# The user has closed it.
export def OnClosed(proposal: dict<any>)
  Decide(proposal, 'diffRejected', false, 'Closed, which rejects it: %s.')
enddef

def Refuse(params: dict<any>)
  if get(params, 'inexact', false)
    throw 'Vim cannot hold a character of ' .. params.label
  elseif &encoding != 'utf-8' && params.newContent =~ '[^\x00-\x7F]'
    throw printf("%s needs 'encoding' to be utf-8, and it is %s", params.label, &encoding)
  endif
enddef

# Says so unless it is accepted ahead.
def SayThatItWaits(proposal: dict<any>)
  const Tell = () => {
    if IsWaiting(proposal)
      say.Info(printf('%s proposes %s   :IdeCompanion diff', proposal.agent, proposal.label), () => IsWaiting(proposal))
    endif
  }
  if index(status.Get().ahead, proposal.agent) < 0
    Tell()
  else
    timer_start(accepted_ahead_ms, (_) => Tell())
  endif
enddef

# `companion/openDiff`
export def Open(params: dict<any>): any
  Refuse(params)
  serial += 1
  var proposal = proposal_of.Create(params, serial)
  add(proposals, proposal)
  draft.Watch(proposal)
  try
    view.OpenWhenCalm(proposal)
  catch
    CloseProposal(proposal) # it is shown elsewhere
    throw v:exception
  endtry
  SayThatItWaits(proposal)
  Announce('DiffOpened', proposal)
  return null
enddef

# The proposal that the server knows by an id; empty when there is none.
export def WaitingFor(id: string): dict<any>
  return Find((candidate) => candidate.ended == '' && candidate.id ==# id)
enddef

def Expect(id: string): dict<any>
  const proposal = WaitingFor(id)
  if empty(proposal)
    throw printf('no diff %s is open', id)
  endif
  return proposal
enddef

# Closes a proposal for which no agent waits any more, when its user has finished typing in it: the rest of their words
# would land in the text behind it.
def Abandon(proposal: dict<any>, why: string)
  proposal.ended = why
  view.Refresh(proposal)
  quiet.When(() => !view.IsTypedIn(proposal), () => {
    if IsWaiting(proposal)
      CloseAndSaveEdits(proposal, printf('%s: %s.', why, proposal.label))
    endif
  })
enddef

# `companion/closeDiff`
export def Close(params: dict<any>): any
  const proposal = Expect(params.id)
  const content = proposal_of.TextOf(proposal)
  draft.Flush(proposal)
  if view.IsTypedIn(proposal)
    proposal.newContent = content # the companion has it
    proposal.edited = false
    setbufvar(proposal.proposed, '&modified', false)
    Abandon(proposal, params.words)
  else
    CloseProposal(proposal)
  endif
  Announce('DiffClosed', proposal)
  return {content: content}
enddef

# `companion/updateDiff`: the file has changed. While the user types, nothing does here, and the server asks again.
export def Update(params: dict<any>): any
  final proposal = Expect(params.id)
  const buffer: number = proposal.proposed
  const content = proposal_of.TextOf(proposal)
  if content !=# params.seen || view.IsTypedIn(proposal) || !bufloaded(buffer)
    return {content: content}
  endif
  for name in ['original', 'notes', 'newContent', 'words', 'facts', 'hunks']
    proposal[name] = params[name]
  endfor
  text.Put(proposal.base, params.original == null ? '' : params.original)
  setbufvar(proposal.base, '&modifiable', false)
  text.Change(buffer, params.content, params.edits)
  proposal.edited = params.content !=# params.newContent
  proposal.compared = getbufvar(buffer, 'changedtick')
  for side in [proposal.base, buffer]
    setbufvar(side, '&modified', side == buffer && proposal.edited)
  endfor
  view.Redraw(proposal)
  return {content: proposal_of.TextOf(proposal)}
enddef

# `companion/readDiff`
export def Read(params: dict<any>): any
  return {content: proposal_of.TextOf(Expect(params.id))}
enddef

# The server has ended, so no agent waits any more.
export def Orphan()
  for proposal in copy(proposals)
    proposal.deciding = false # no answer will come
    if view.IsTypedIn(proposal) || proposal_of.TextOf(proposal) !=# proposal.newContent
      Abandon(proposal, 'The companion has ended')
    else
      CloseProposal(proposal)
    endif
  endfor
enddef

# Sends typed text that has not been sent.
export def FlushAll()
  for proposal in proposals
    draft.Flush(proposal)
  endfor
enddef

augroup ide_companion_diff_leave
  autocmd!
  autocmd VimLeavePre * FlushAll()
augroup END

defcompile
