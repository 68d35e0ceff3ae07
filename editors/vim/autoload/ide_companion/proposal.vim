vim9script
# A proposal as two buffers: the file on disk, read-only, and the proposed text, which is written like a file.
#
# It is a dictionary with the parameters of `companion/openDiff` (id, agent, filePath, label, newContent, original, notes,
# facts, hunks), and
#   draft_timer       runs while typed text has not been sent, else 0
#   compared          the tick of its buffer when it had the text of `hunks`
#   words             how it stands to its file, as `companion/updateDiff` has it; not there before
#   serial            its number in this Vim, by which autocommands find it
#   proposed, base    numbers of its buffers
#   name              of the first
#   view              its windows; empty before it is opened
#   deciding          a decision is on its way
#   ended             why no agent waits for it any more; empty while one does
#   ownVersion        the user edits it although its agent takes no edits; readOnlyReason is there only then
#   edited            the user has typed into it, also when it counts as written since
#   comments          what the user has written about it: see comments.vim
#   last_text         its text when the buffer was unloaded, as by `:q!`

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/text.vim'

# The buffer in which `:x` is being typed, while it counts as modified for that; 0 when there is none.
var pretended = 0

# The base is read-only; the proposal is written like a file, and that accepts it.
export def Create(params: dict<any>, serial: number): dict<any>
  var proposal = extend({serial: serial, view: {}, deciding: false, ended: '', edited: false, ownVersion: false,
    comments: [], draft_timer: 0}, params)
  proposal.last_text = proposal.newContent
  const original: string = proposal.original == null ? '' : proposal.original
  proposal.base = text.NewBuffer('On disk', proposal.label, original)
  proposal.proposed = text.NewBuffer(proposal.agent, proposal.label, proposal.newContent)
  setbufvar(proposal.base, '&modifiable', false)
  proposal.name = bufname(proposal.proposed)
  setbufvar(proposal.proposed, '&buftype', 'acwrite')
  setbufvar(proposal.proposed, 'ide_companion', {agent: proposal.agent, path: proposal.filePath})
  Lock(proposal)
  Watch(proposal)
  return proposal
enddef

# Whether the user may not edit it: its agent takes no edits, and the user has not asked to edit their own version.
export def IsReadOnly(proposal: dict<any>): bool
  return has_key(proposal, 'readOnlyReason') && !proposal.ownVersion
enddef

def Lock(proposal: dict<any>)
  setbufvar(proposal.proposed, '&modifiable', !IsReadOnly(proposal))
enddef

# Makes it editable.
export def Unlock(proposal: dict<any>)
  proposal.ownVersion = has_key(proposal, 'readOnlyReason')
  Lock(proposal)
enddef

def Watch(proposal: dict<any>)
  const here = printf('<buffer=%d>', proposal.proposed)
  augroup ide_companion_proposal
    execute printf('autocmd BufWriteCmd %s OnWrite(%d)', here, proposal.serial)
    execute printf('autocmd BufFilePost %s OnRenamed(%d)', here, proposal.serial)
    execute printf('autocmd BufReadCmd %s OnRead(%d)', here, proposal.serial)
    execute printf('autocmd BufUnload %s OnUnload(%d)', here, proposal.serial)
    autocmd! CmdlineLeave
    autocmd CmdlineLeave : OnCommandLine()
  augroup END
enddef

# `:w` decides about the proposal; `:w other-file` and `:saveas` write a copy of it, as in every buffer, and decide
# nothing.
def OnWrite(serial: number)
  const proposal = diff.BySerial(serial)
  const target = expand('<afile>')
  if empty(proposal)
    say.Info('It is decided already.') # and closes as soon as the command is done
  # Vim prepends the current folder, which may have changed.
  elseif fnamemodify(target, ':t') ==# proposal.name
    diff.OnWritten(proposal)
  else
    WriteCopy(proposal, target)
  endif
enddef

# `:saveas` has given it the name of the copy.
def OnRenamed(serial: number)
  timer_start(0, (_) => {
    const proposal = diff.BySerial(serial)
    if !empty(proposal) && bufname(proposal.proposed) !=# proposal.name && !empty(win_findbuf(proposal.proposed))
      win_execute(win_findbuf(proposal.proposed)[0], 'silent noautocmd keepalt file ' .. fnameescape(proposal.name))
    endif
  })
enddef

def WriteCopy(proposal: dict<any>, target: string)
  try
    writefile(split(TextOf(proposal), "\n", true), target, 'b')
    say.Info('Written: ' .. target)
  catch
    say.Warn(substitute(v:exception, '^Vim\%((\a\+)\)\=:', '', ''))
  endtry
enddef

# `:e!` restores the text of the agent.
def OnRead(serial: number)
  var proposal = diff.BySerial(serial)
  if empty(proposal)
    return
  endif
  proposal.edited = false
  text.Put(proposal.proposed, proposal.newContent)
  Lock(proposal)
enddef

# After it is unloaded: until then it cannot be deleted. `:e!` has loaded it again by then.
def OnUnload(serial: number)
  var proposal = diff.BySerial(serial)
  if empty(proposal)
    return
  endif
  proposal.last_text = TextOf(proposal)
  timer_start(0, (_) => {
    if !bufloaded(proposal.proposed)
      diff.OnClosed(proposal)
    endif
  })
enddef

# `:x` writes only a modified buffer. In a proposal it accepts. Vim reports no cancelled command, so the flag is reset
# with the next key.
def OnCommandLine()
  StopPretending()
  const buffer = bufnr()
  if !exists('b:ide_companion') || &modified
    return
  endif
  if getcmdline() =~ '^[: \t]*\%(x\|xi\|xit\|exi\|exit\)!\=\s*$'
    &modified = true
    pretended = buffer
    timer_start(0, (_) => {
      StopPretending()
    })
  endif
enddef

def StopPretending()
  if pretended > 0 && bufloaded(pretended)
    setbufvar(pretended, '&modified', false)
  endif
  pretended = 0
enddef

# The current text; an unchanged one is returned byte by byte.
export def TextOf(proposal: dict<any>): string
  if !bufloaded(proposal.proposed)
    return proposal.last_text
  endif
  return IsEdited(proposal) ? text.Get(proposal.proposed) : proposal.newContent
enddef

# Whether the user has typed into it.
def IsEdited(proposal: dict<any>): bool
  return bufloaded(proposal.proposed) && (proposal.edited || getbufinfo(proposal.proposed)[0].changed)
enddef

# As after every `:w`. The decision may still be refused.
export def MarkWritten(proposal: dict<any>)
  proposal.edited = IsEdited(proposal)
  setbufvar(proposal.proposed, '&modified', false)
enddef

export def Delete(proposal: dict<any>)
  for buffer in [proposal.proposed, proposal.base]
    if bufexists(buffer)
      execute 'silent noautocmd bwipeout!' buffer
    endif
  endfor
enddef

defcompile
