vim9script
# A proposal as a pair of buffers: what is on disk, read-only, and what is proposed, written like a file.
#
# It is a dictionary with what `companion/openDiff` gave (id, agent, filePath, label, newContent, original, notes), and
#   serial            its number in this Vim, by which autocommands find it
#   proposed, base    numbers of its buffers
#   view              where it is to be seen; empty before it is opened
#   deciding          a decision is on its way
#   orphan            nobody waits for it any more
#   edited            the user has typed into it, also when it counts as written since
#   last_text         what it was when its buffer was unloaded, as by `:q!`

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/text.vim'

# Of the proposal into which `:x` is being typed, while it counts as modified for that; 0 when there is none.
var pretended = 0

# The base is read-only; the proposal is written like a file, and that accepts it.
export def Create(params: dict<any>, serial: number): dict<any>
  var proposal = extend({serial: serial, view: {}, deciding: false, orphan: false, edited: false}, params)
  proposal.last_text = proposal.newContent
  const original: string = proposal.original == null ? '' : proposal.original
  proposal.base = text.NewBuffer('On disk', proposal.label, original)
  proposal.proposed = text.NewBuffer(proposal.agent, proposal.label, proposal.newContent)
  for buffer in [proposal.base, proposal.proposed]
    setbufvar(buffer, '&bufhidden', 'hide')
  endfor
  setbufvar(proposal.base, '&modifiable', false)
  setbufvar(proposal.proposed, '&buftype', 'acwrite')
  setbufvar(proposal.proposed, 'ide_companion', {agent: proposal.agent, path: proposal.filePath})
  Watch(proposal)
  return proposal
enddef

def Watch(proposal: dict<any>)
  const here = printf('<buffer=%d>', proposal.proposed)
  augroup ide_companion_proposal
    execute printf('autocmd BufWriteCmd %s OnWrite(%d)', here, proposal.serial)
    execute printf('autocmd BufReadCmd %s OnRead(%d)', here, proposal.serial)
    execute printf('autocmd BufUnload %s OnUnload(%d)', here, proposal.serial)
    autocmd! CmdlineLeave
    autocmd CmdlineLeave : OnCommandLine()
  augroup END
enddef

# `:w` of the proposal itself; `:w other-file` writes a copy of it, as everywhere, and decides nothing.
def OnWrite(serial: number)
  const proposal = diff.BySerial(serial)
  const target = expand('<afile>')
  # Vim puts the present folder before it, which may not be that of before.
  if fnamemodify(target, ':t') ==# bufname(proposal.proposed)
    diff.OnWritten(proposal)
  else
    writefile(split(TextOf(proposal), "\n", true), target, 'b')
  endif
enddef

# `:e!` brings the agent's text back.
def OnRead(serial: number)
  var proposal = diff.BySerial(serial)
  proposal.edited = false
  text.Put(proposal.proposed, proposal.newContent)
enddef

# Not before it is unloaded: until then it cannot be deleted. `:e!` has loaded it again by then.
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

# `:x` writes only what has been edited. Of a proposal it means "I am done, write it". The command may still be
# abandoned, which Vim does not tell: with the next key at the latest, all is as it was.
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

# The text as it stands; what was not touched comes back as it came.
export def TextOf(proposal: dict<any>): string
  if !bufloaded(proposal.proposed)
    return proposal.last_text
  endif
  return IsEdited(proposal) ? text.Get(proposal.proposed) : proposal.newContent
enddef

# Whether the user has typed into it.
export def IsEdited(proposal: dict<any>): bool
  return bufloaded(proposal.proposed) && (proposal.edited || getbufinfo(proposal.proposed)[0].changed)
enddef

# As after every `:w`. Whether it is taken is another question.
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

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
