import type { Sentence } from "./sentences.ts";

/** Portuguese, as in Brazil. */
export const portuguese: Readonly<Record<Sentence, string>> = {
  // the page
  "Skip to the text": "Ir para o texto",
  "Files and proposals": "Arquivos e propostas",
  Close: "Fechar",
  Language: "Idioma",
  // connection
  "The companion does not answer.": "O companion não responde.",
  "It is still running, but hangs or has been stopped. What you type stays in this page and is sent when it answers again.":
    "Ele ainda está em execução, mas travou ou foi suspenso. O que você digita fica nesta página e é enviado quando ele voltar a responder.",
  "Disconnected.": "Desconectado.",
  "The companion cannot be reached. What you type stays in this page and is sent when it is back. The page keeps trying.":
    "O companion não pode ser alcançado. O que você digita fica nesta página e é enviado quando ele voltar. A página continua tentando.",
  "If $1 still waits for this review, press Ctrl+C once in its terminal, before you type anything else there.":
    "Se $1 ainda espera esta revisão, pressione Ctrl+C uma vez no terminal, antes de digitar qualquer outra coisa lá.",
  "Try now": "Tentar agora",
  "Connected to the companion again.": "Conectado ao companion novamente.",
  "The companion cannot be reached just now.": "O companion não pode ser alcançado agora.",
  "The companion cannot be reached: decide again when the connection is back.":
    "O companion não pode ser alcançado: decida de novo quando a conexão voltar.",
  "not answering": "sem resposta",
  "not connected": "não conectado",
  "no CLI connected": "nenhuma CLI conectada",
  "Connected CLIs": "CLIs conectadas",
  "This page needs a new link": "Esta página precisa de um novo link",
  "This link has been used, or the companion has been restarted. Open the link printed in the companion’s terminal; each link works once.":
    "Este link já foi usado, ou o companion foi reiniciado. Abra o link mostrado no terminal do companion; cada link funciona uma vez.",
  "If the companion is not running, run $1 in your folder. It prints a link and opens it.":
    "Se o companion não está em execução, execute $1 na sua pasta. Ele mostra um link e o abre.",
  "Try again": "Tentar de novo",
  // top bar
  Review: "Revisão",
  "Hide the files": "Ocultar os arquivos",
  "Show the files": "Mostrar os arquivos",
  "Hide the companion": "Ocultar o companion",
  "Show the companion": "Mostrar o companion",
  "Width of the files": "Largura dos arquivos",
  "Width of the companion": "Largura do companion",
  "Keyboard shortcuts": "Atalhos de teclado",
  "Notify me of proposals while this page is in the background":
    "Notificar-me de propostas enquanto esta página está em segundo plano",
  "Theme: $1. Switch to $2": "Tema: $1. Mudar para $2",
  system: "sistema",
  light: "claro",
  dark: "escuro",
  // empty page
  "Ready to review": "Pronto para revisar",
  "Waiting for an agent": "Esperando um agente",
  "$1 is connected. Ask for a change: it will open here for you to look through, edit, and accept or reject.":
    "$1 está conectado. Peça uma mudança: ela abrirá aqui para você ver, editar e aceitar ou rejeitar.",
  "$1 are connected. Ask for a change: it will open here for you to look through, edit, and accept or reject.":
    "$1 estão conectados. Peça uma mudança: ela abrirá aqui para você ver, editar e aceitar ou rejeitar.",
  "Start an agent CLI in any terminal, in this folder:":
    "Inicie a CLI de um agente em qualquer terminal, nesta pasta:",
  "Open a file: the agent receives your cursor and selection with your next prompt. Press $1 to find one by name.":
    "Abra um arquivo: o agente recebe seu cursor e sua seleção com o seu próximo prompt. Pressione $1 para encontrar um pelo nome.",
  "Proposed changes open automatically, the oldest first, and never while you are typing.":
    "As mudanças propostas abrem automaticamente, a mais antiga primeiro, e nunca enquanto você digita.",
  "Everything works by keyboard: press $1 for the keys.":
    "Tudo funciona pelo teclado: pressione $1 para ver as teclas.",
  // companion panel
  Companion: "Companion",
  Connected: "Conectados",
  "No CLI is connected.": "Nenhuma CLI está conectada.",
  unknown: "desconhecido",
  listening: "escutando",
  "its stream is down": "seu fluxo caiu",
  "since $1": "desde $1",
  "Last sent to agents": "Último envio aos agentes",
  "Nothing yet. Open a file to share it.": "Nada ainda. Abra um arquivo para compartilhá-lo.",
  "line $1, character $2": "linha $1, caractere $2",
  "Also open": "Também abertos",
  Open: "Abertos",
  "1 character selected": "1 caractere selecionado",
  "$1 characters selected": "$1 caracteres selecionados",
  "Selected text": "Texto selecionado",
  // files
  "Find a file": "Encontrar um arquivo",
  "Find a file, or file:line": "Encontrar um arquivo, ou arquivo:linha",
  "No file has this name.": "Nenhum arquivo tem esse nome.",
  "Files found": "Arquivos encontrados",
  Files: "Arquivos",
  "Refresh the files": "Atualizar os arquivos",
  "$1 (ignored by git)": "$1 (ignorado pelo git)",
  "read only · shared with your agents": "somente leitura · compartilhado com seus agentes",
  "Send to agent": "Enviar ao agente",
  "Put a reference to the file, or to what is selected in it, into the agent's prompt":
    "Põe no prompt do agente uma referência ao arquivo, ou ao que está selecionado nele",
  "The prompt of $1 has the reference.": "A referência está no prompt do $1.",
  "Search by file, agent or outcome": "Buscar por arquivo, agente ou resultado",
  "Search the history": "Buscar no histórico",
  "No decision fits.": "Nenhuma decisão corresponde.",
  "The prompt of $1 has it: press Enter there to send it.":
    "Está no prompt do $1: pressione Enter lá para enviar.",
  "A text for the agent’s prompt": "Um texto para o prompt do agente",
  "Mark a file of the list, to send several": "Marcar um arquivo da lista, para enviar vários",
  "Restart one that is already running. If it does not connect automatically, type the command on the right in it.":
    "Reinicie a que já estiver em execução. Se ela não se conectar automaticamente, digite nela o comando à direita.",
  "No connected agent takes a reference.": "Nenhum agente conectado aceita uma referência.",
  "No agent’s prompt can be reached: your text is in the field again.":
    "Nenhum prompt de agente está acessível: seu texto está de volta no campo.",
  "No agent’s prompt can be reached. It is on the clipboard: paste it into the prompt.":
    "Não é possível alcançar o prompt de nenhum agente. Está na área de transferência: cole no prompt.",
  "Sharing is paused: the agents receive no files.":
    "O compartilhamento está pausado: os agentes não recebem arquivos.",
  "$1 is kept from agents, and was not sent.": "$1 não é compartilhado com agentes e não foi enviado.",
  "The file is not valid UTF-8: some of its characters are shown as �.":
    "O arquivo não é UTF-8 válido: alguns de seus caracteres aparecem como �.",
  "This is a binary file of $1; it is not shown.": "Este é um arquivo binário de $1; não é mostrado.",
  "This file is too large to be shown: $1, the limit is $2.":
    "Este arquivo é grande demais para ser mostrado: $1, o limite é $2.",
  "This file does not exist (any more).": "Não há (mais) esse arquivo.",
  "This is a folder.": "Isto é uma pasta.",
  "This file cannot be read: $1": "Este arquivo não pode ser lido: $1",
  "over 2 MB": "mais de 2 MB",
  "a line of over 10 000 characters": "uma linha com mais de 10 000 caracteres",
  highlighting: "realce de sintaxe",
  "changes within lines": "mudanças dentro das linhas",
  "line wrapping": "quebra de linha",
  "Large file ($1). Switched off: $2. The text itself is complete.":
    "Arquivo grande ($1). Desligado: $2. O texto em si está completo.",
  // tabs and proposals
  Waiting: "Esperando",
  "Reject all …": "Rejeitar todas …",
  "Accept all …": "Aceitar todas …",
  "No waiting change fits.": "Nenhuma mudança em espera corresponde.",
  "Filter by file or agent": "Filtrar por arquivo ou agente",
  "Filter the waiting changes": "Filtrar as mudanças que esperam",
  "$1 of $2 decided": "$1 de $2 decididas",
  "Accept the rest of what $1 proposes": "Aceitar o resto do que $1 propõe",
  "Accept rest …": "Aceitar o resto …",
  "Accept 1 change": "Aceitar 1 mudança",
  "$1 changes of this file wait": "$1 mudanças deste arquivo esperam",
  "These wait for you, because their files have changed on disk: $1.":
    "Estas esperam por você, porque seus arquivos mudaram em disco: $1.",
  "You have not looked at $1 of $2 files.": "Você não olhou $1 de $2 arquivos.",
  "not looked at": "não vista",
  "Accept $1 changes": "Aceitar $1 mudanças",
  "Reject 1 change": "Rejeitar 1 mudança",
  "Reject $1 changes": "Rejeitar $1 mudanças",
  "With your edits, as you see them: $1.": "Com suas edições, como você as vê: $1.",
  "Your edits are rejected as well, and the history keeps them: $1.":
    "Suas edições também são rejeitadas, e o histórico as guarda: $1.",
  "Also accept what $1 still proposes in this turn": "Aceitar também o que $1 ainda propuser neste turno",
  "Stop at files that match": "Parar em arquivos que correspondam a",
  "It ends with the turn, when you reject a change or decide in the terminal, and when you stop it. Files outside your folders, ignored by git or kept from agents wait for you.":
    "Termina com o turno, quando você rejeita uma mudança ou decide no terminal, e quando você para. Arquivos fora das suas pastas, ignorados pelo git ou não compartilhados com agentes esperam por você.",
  Cancel: "Cancelar",
  "What $1 proposes in this turn is accepted without you.": "O que $1 propõe neste turno é aceito sem você.",
  "$1 accepted so far.": "$1 aceitas até agora.",
  "Waiting for you: $1": "Esperam por você: $1",
  Stop: "Parar",
  "accepted ahead": "aceita antecipadamente",
  "accepted ahead with your edits": "aceita antecipadamente com suas edições",
  "Previous waiting proposal": "Proposta em espera anterior",
  "Accept all that wait, after a question": "Aceitar todas as que esperam, após uma pergunta",
  "Reject all that wait, after a question": "Rejeitar todas as que esperam, após uma pergunta",
  "Waiting proposals and files": "Propostas que esperam e arquivos",
  edited: "editada",
  "Open files and proposals": "Arquivos e propostas abertos",
  "Close $1": "Fechar $1",
  "$1 proposes a change of $2": "$1 propõe uma mudança de $2",
  "$1 proposes a change of $2.": "$1 propõe uma mudança de $2.",
  "$1 proposes a change": "$1 propõe uma mudança",
  "$1 lines added, $2 removed": "$1 linhas adicionadas, $2 removidas",
  "Loading $1 …": "Carregando $1 …",
  Notices: "Avisos",
  Dismiss: "Dispensar",
  "$1 changes wait for you.": "$1 mudanças esperam por você.",
  "Review it": "Revisar",
  "Review the first": "Revisar a primeira",
  "$1: $2.": "$1: $2.",
  "$1 changes: $2.": "$1 mudanças: $2.",
  "$1 changes were decided or closed.": "$1 mudanças foram decididas ou fechadas.",
  "An agent shows you $1.": "Um agente mostra $1 a você.",
  "An agent wants to show you $1.": "Um agente quer mostrar $1 a você.",
  "Show it": "Mostrar",
  "$1, line $2": "$1, linha $2",
  // a diff
  "Decide on the change of $1": "Decidir sobre a mudança de $1",
  Accept: "Aceitar",
  Reject: "Rejeitar",
  "Reject ($1)": "Rejeitar ($1)",
  "Accept exactly what is shown ($1)": "Aceitar exatamente o que é mostrado ($1)",
  "Accept the text of $1, which is written without your edits ($2)":
    "Aceitar o texto de $1, que é gravado sem as suas edições ($2)",
  "new file": "arquivo novo",
  "This file does not exist yet. Accepting creates it.": "Esse arquivo ainda não existe: aceitar o cria.",
  "whole file replaced": "arquivo inteiro substituído",
  "No line of the file on disk is left.": "Não resta nenhuma linha do arquivo em disco.",
  empty: "vazio",
  "The text is empty. Some agents ignore an empty text.":
    "O texto está vazio. Alguns agentes ignoram um texto vazio.",
  "outside the workspace": "fora da área de trabalho",
  "$1 is outside of the folders opened here.": "$1 fica fora das pastas abertas aqui.",
  "edited by you": "editada por você",
  "This differs from what the agent proposed: it contains your edits.":
    "É diferente do que o agente propôs: contém suas edições.",
  "no change": "nenhuma mudança",
  "no difference": "nenhuma diferença",
  "only line ends": "só fins de linha",
  "only the last newline": "só a última quebra de linha",
  "only white space": "só espaços em branco",
  "1 change": "1 mudança",
  "$1 changes": "$1 mudanças",
  "$1 of $2 viewed": "$1 de $2 vistas",
  "Previous change ($1)": "Mudança anterior ($1)",
  "Next change ($1)": "Próxima mudança ($1)",
  "Unified view ($1)": "Visão unificada ($1)",
  "Side by side ($1)": "Lado a lado ($1)",
  "Wrap long lines ($1)": "Quebrar linhas longas ($1)",
  "Show or fold unchanged lines ($1)": "Mostrar ou dobrar linhas sem mudança ($1)",
  "Show all": "Mostrar tudo",
  Fold: "Dobrar",
  "Refused.": "Não aceito.",
  "Below is the whole text that replaces it.": "Abaixo está o texto inteiro que o substitui.",
  "The file on disk is not valid UTF-8: some of its characters are shown as �, and single changes cannot be reverted, as that would write those.":
    "O arquivo em disco não é UTF-8 válido: alguns de seus caracteres aparecem como �, e mudanças isoladas não podem ser revertidas, pois isso os gravaria.",
  "This text is the same as the file on disk.": "Este texto é igual ao arquivo em disco.",
  "$1 has changed on disk, and $2 would overwrite that. Reject the change, and ask $2 to read the file again.":
    "$1 mudou em disco, e $2 sobrescreveria isso. Rejeite a mudança e peça a $2 que leia o arquivo de novo.",
  "$1 has changed on disk in the same lines. The change shows both versions: choose between them, then accept.":
    "$1 mudou em disco nas mesmas linhas. A mudança mostra as duas versões: escolha entre elas e aceite.",
  "Accepted together with what has changed in $1 meanwhile.":
    "Aceita junto com o que mudou em $1 nesse meio-tempo.",
  "The file was deleted since this was proposed. Accepting makes it again.":
    "O arquivo foi excluído depois da proposta. Aceitar o cria de novo.",
  "The file has changed on disk, and $1 would overwrite that. Reject the change, and ask $1 to read the file again.":
    "O arquivo mudou em disco, e $1 sobrescreveria isso. Rejeite a mudança e peça a $1 que leia o arquivo de novo.",
  "The file already holds this.": "O arquivo já contém isto.",
  "The file has changed on disk in the same lines. Both versions are below, between <<<<<<< and >>>>>>>: choose between them, then accept.":
    "O arquivo mudou em disco nas mesmas linhas. As duas versões estão abaixo, entre <<<<<<< e >>>>>>>: escolha entre elas e aceite.",
  "The file has changed on disk since this was proposed. What is new there is part of the text below, and stays.":
    "O arquivo mudou em disco depois da proposta. O que há de novo nele faz parte do texto abaixo, e fica.",
  "You have changed what $1 proposed. Accept sends the text exactly as you see it.":
    "Você alterou o que $1 propôs. Aceitar envia o texto exatamente como você o vê.",
  "Accept lets $1 write its own text. After that you can compare your version with the file, and restore it.":
    "Aceitar faz com que $1 grave o próprio texto. Depois você pode comparar a sua versão com o arquivo e restaurá-la.",
  "You can reject the change and tell $1 in its terminal what to change.":
    "Você pode rejeitar a mudança e dizer no terminal de $1 o que mudar.",
  "Edit my own version": "Editar a minha própria versão",
  "Your edits are undone: this is what the agent proposed.":
    "Suas edições foram desfeitas: isto é o que o agente propôs.",
  "Undo my edits": "Desfazer minhas edições",
  "Being edited in another tab.": "Sendo editada em outra aba.",
  "You see its text here as it changes.": "Você vê o texto aqui conforme ele muda.",
  "Edit here": "Editar aqui",
  "Change $1 of $2": "Mudança $1 de $2",
  "Change $1 of $2, viewed": "Mudança $1 de $2, vista",
  "Change $1 reverted": "Mudança $1 revertida",
  Viewed: "Vista",
  "Mark change $1 as viewed": "Marcar a mudança $1 como vista",
  Revert: "Reverter",
  "Revert change $1: leave these lines as they are on disk":
    "Reverter a mudança $1: deixar estas linhas como estão em disco",
  "removed before $1": "removidas antes da linha $1",
  "added before $1": "adicionadas antes da linha $1",
  "lines $1–$2": "linhas $1–$2",
  "line $1": "linha $1",
  "$1 as it is on disk": "$1 como está em disco",
  "$1 as proposed": "$1 como proposto",
  "$1 as proposed, editable": "$1 como proposto, editável",
  "$1, read only": "$1, somente leitura",
  "Carriage return without a line feed": "Retorno de carro sem avanço de linha",
  // form of a text
  "The file on disk has $1 line endings. $2 proposes LF, and writes the file's own again.":
    "O arquivo em disco tem finais de linha $1. $2 propõe LF e grava de novo os do arquivo.",
  "The file on disk begins with a byte order mark. $1 proposes the text without it, and writes it again.":
    "O arquivo em disco começa com uma marca de ordem de bytes. $1 propõe o texto sem ela e a grava de novo.",
  "Line endings: $1. They stay as they are.": "Finais de linha: $1. Ficam como estão.",
  "The file on disk has $1 line endings, this change makes them $2.":
    "O arquivo em disco tem finais de linha $1, esta mudança os torna $2.",
  "Back to $1": "Voltar a $1",
  "The file begins with a byte order mark; it stays.":
    "O arquivo começa com uma marca de ordem de bytes; ela fica.",
  "This change puts a byte order mark at the beginning of the file.":
    "Esta mudança põe uma marca de ordem de bytes no início do arquivo.",
  "Remove it": "Remover",
  "The new file begins with a byte order mark.": "O arquivo novo começa com uma marca de ordem de bytes.",
  "The file on disk begins with a byte order mark, this change removes it.":
    "O arquivo em disco começa com uma marca de ordem de bytes, esta mudança a remove.",
  "Put it back": "Repor",
  "The last line has no line ending. This does not change.":
    "A última linha não tem final de linha. Continua assim.",
  "no newline at end": "sem quebra no fim",
  "− newline at end": "− quebra no fim",
  "+ newline at end": "+ quebra no fim",
  "The last line of the file on disk has a line ending, this change removes it.":
    "A última linha do arquivo em disco tem final de linha, esta mudança o remove.",
  "The last line of the file on disk has no line ending, this change adds one.":
    "A última linha do arquivo em disco não tem final de linha, esta mudança adiciona um.",
  // keys
  "Move around": "Navegar",
  Page: "Página",
  "Next change": "Próxima mudança",
  "Previous change": "Mudança anterior",
  "Next change, also while editing": "Próxima mudança, também ao editar",
  "Previous change, also while editing": "Mudança anterior, também ao editar",
  "Mark this change as viewed, or not": "Marcar esta mudança como vista, ou não",
  "Revert this change": "Reverter esta mudança",
  "Edit the proposed text": "Editar o texto proposto",
  "Leave the text, or what is open above it": "Sair do texto, ou do que está aberto acima dele",
  "Side by side or unified": "Lado a lado ou unificada",
  "Show or fold unchanged lines": "Mostrar ou dobrar linhas sem mudança",
  "Next waiting proposal": "Próxima proposta que espera",
  "Next area of the page": "Próxima área da página",
  "Previous area": "Área anterior",
  "Next tab": "Próxima aba",
  "Previous tab": "Aba anterior",
  "Close the tab; a change in it waits on": "Fechar a aba; uma mudança nela continua à espera",
  "Search in the text": "Buscar no texto",
  "Wrap long lines or not": "Quebrar linhas longas ou não",
  "Show or hide the files": "Mostrar ou ocultar os arquivos",
  "Show or hide the companion": "Mostrar ou ocultar o companion",
  "Light or dark": "Claro ou escuro",
  "This sheet": "Esta folha",
  "Single letters work while no text has the focus: Escape leaves it. Tab indents while editing.":
    "Letras isoladas funcionam quando nenhum texto tem o foco: Escape sai dele. Tab recua ao editar.",
  // history and recovered edits
  History: "Histórico",
  "History of $1": "Histórico de $1",
  past: "passada",
  "Decisions will be listed here.": "As decisões serão listadas aqui.",
  "Read this change again": "Ler esta mudança de novo",
  "This change is not in the history any more.": "Esta mudança não está mais no histórico.",
  "The texts of this change are not kept any more.": "Os textos desta mudança não estão mais guardados.",
  "What to show": "O que mostrar",
  Proposed: "Proposta",
  "On disk now": "Agora em disco",
  "The file as it was is marked −, the proposal +.":
    "O arquivo como era está marcado com −, a proposta com +.",
  "The proposal is marked −, your version +.": "A proposta está marcada com −, a sua versão com +.",
  "What was accepted is marked −, what is on disk now +.":
    "O que foi aceito está marcado com −, o que está em disco agora com +.",
  "The file as it was is marked −, what is on disk now +.":
    "O arquivo como era está marcado com −, o que está em disco agora com +.",
  "What is on disk is marked −, your version +.":
    "O que está em disco está marcado com −, a sua versão com +.",
  written: "gravada",
  "not written to the file": "não gravada no arquivo",
  overwritten: "sobrescrita",
  "If undone": "Se desfeita",
  "Undo this change": "Desfazer esta mudança",
  "Writes the file as it is shown": "Grava o arquivo como é mostrado",
  "The change of $1 is undone.": "A mudança de $1 foi desfeita.",
  "This change cannot be undone here.": "Esta mudança não pode ser desfeita aqui.",
  "What is on disk now is marked −, what undoing writes +. What has changed elsewhere stays.":
    "O que está em disco agora é marcado com −, o que será gravado com +. O que mudou em outros lugares fica.",
  "The change made this file: undoing it deletes the file.":
    "A mudança criou este arquivo: desfazê-la exclui o arquivo.",
  "If accepted": "Se aceita",
  "Accept it after all": "Aceitar mesmo assim",
  "$1 contains the change now.": "$1 contém a mudança agora.",
  "The history does not hold the texts of this change.": "O histórico não contém os textos desta mudança.",
  "The file is not there any more.": "O arquivo não existe mais.",
  "The change made this file, and it has changed since: undoing would delete all of it.":
    "A mudança criou este arquivo, que mudou depois: desfazer excluiria tudo.",
  "Accept my version": "Aceitar minha versão",
  "This change cannot be accepted here.": "Esta mudança não pode ser aceita aqui.",
  "What is on disk now is marked −, the file with the change +. What has changed elsewhere stays.":
    "O que está em disco agora é marcado com −, o arquivo com a mudança com +. O que mudou em outros lugares fica.",
  "The file mixes line endings: undo it by hand.": "O arquivo mistura finais de linha: desfaça à mão.",
  "The file has changed since in the same places: put the change into it by hand.":
    "O arquivo mudou depois nos mesmos lugares: inclua a mudança à mão.",
  "The file mixes line endings: put the change into it by hand.":
    "O arquivo mistura finais de linha: inclua a mudança à mão.",
  "There is such a file by now: put the change into it by hand.":
    "Esse arquivo já existe: inclua a mudança à mão.",
  "The file has changed since in the same places: undo it by hand.":
    "O arquivo mudou depois nos mesmos lugares: desfaça à mão.",
  "Recovered edits": "Edições recuperadas",
  recovered: "recuperada",
  "Your version": "Sua versão",
  "Your version of $1": "Sua versão de $1",
  "Your version of $1 is saved": "Sua versão de $1 foi guardada",
  "$1 of your versions are saved": "$1 versões suas foram guardadas",
  "Your text is safe. Compare it with what is on disk, then restore or discard it.":
    "Seu texto está seguro. Compare com o que está em disco, depois restaure ou descarte.",
  "Later. It stays in the recovered edits": "Depois. Fica nas edições recuperadas",
  Compare: "Comparar",
  "Compare it with what is on disk": "Comparar com o que está em disco",
  "Show them": "Mostrar",
  Copy: "Copiar",
  Download: "Baixar",
  Discard: "Descartar",
  "Discard for good": "Descartar de vez",
  "Discard all $1 for good": "Descartar todas as $1 de vez",
  "Discard all …": "Descartar tudo …",
  "Keep it": "Manter",
  "Use it here": "Usar aqui",
  "Keep them": "Mantê-las",
  "Restore into the file": "Restaurar no arquivo",
  "Writes your version, exactly as it is shown, to the file":
    "Grava a sua versão, exatamente como mostrada, no arquivo",
  "$1 contains your version now.": "$1 agora contém a sua versão.",
  "The text of $1 is in the clipboard.": "O texto de $1 está na área de transferência.",
  "These edits have been restored or discarded.": "Estas edições foram restauradas ou descartadas.",
  "There are no such recovered edits any more.": "Essas edições recuperadas não existem mais.",
  "The file has changed since you looked at it. Look at it once more.":
    "O arquivo mudou desde que você o viu. Olhe-o mais uma vez.",
  "The file on disk is not a text.": "O arquivo em disco não é texto.",
  "The change was being edited in another tab.": "A mudança estava sendo editada em outra aba.",
  "The companion was restarted before you decided.": "O companion foi reiniciado antes de você decidir.",
  "$1 replaced the change with a newer one.": "$1 substituiu a mudança por uma mais nova.",
  "$1 ended before you decided.": "$1 terminou antes de você decidir.",
  "The companion stopped before you decided.": "O companion parou antes de você decidir.",
  "The change was accepted, and the companion ended before the file held your text.":
    "A mudança foi aceita, e o companion terminou antes de o arquivo conter o seu texto.",
  "You accepted the change, and the file holds another text.":
    "Você aceitou a mudança, e o arquivo contém outro texto.",
  "You accepted the change, and $1 did not write it to the file.":
    "Você aceitou a mudança, e $1 não a gravou no arquivo.",
  "$1 closed the change, as when you decide in its terminal, and the file does not hold your text.":
    "A mudança foi fechada por $1, que não gravou o seu texto. Ele faz isso quando você decide no terminal dele.",
  "The companion ended before you decided.": "O companion terminou antes de você decidir.",
  "$1 takes no edits: it writes its own text.": "$1 não aceita edições: grava o próprio texto.",
  "$1 wrote its own text. Look at yours, and apply it if you want it.":
    "$1 gravou o próprio texto. Veja o seu e aplique-o, se quiser.",
  "You rejected the change. Its agent could not take your edits.":
    "Você rejeitou a mudança. O agente dela não pôde receber as suas edições.",
  "You typed this after the change was decided.": "Você digitou isto depois de a mudança ter sido decidida.",
  "You typed on while $1 wrote the file.": "Você continuou digitando enquanto $1 gravava o arquivo.",
  "$1 rejected its change itself.": "$1 rejeitou a própria mudança.",
  "The editor could not show the change any more.": "O editor não pôde mais mostrar a mudança.",
  "The editor ended before you decided.": "O editor terminou antes de você decidir.",
  "This change was not accepted: there is nothing to undo.":
    "Esta mudança não foi aceita: não há nada a desfazer.",
  "There is nothing to write.": "Não há nada a gravar.",
  "This companion does not know the change: it belongs to an earlier run. Copy your text if you need it.":
    "Este companion não conhece a mudança: ela é de uma execução anterior. Copie o seu texto se precisar dele.",
  "$1 does not take an empty text: it would write its own proposal instead. Reject the change, then empty the file yourself.":
    "$1 não aceita um texto vazio: gravaria a própria proposta. Rejeite a mudança e depois esvazie o arquivo você mesmo.",
  "$1 does not make an empty file: it would take this for a rejection. Reject the change, then make the file yourself.":
    "$1 não cria um arquivo vazio: entenderia isto como uma rejeição. Rejeite a mudança e depois crie o arquivo você mesmo.",
  // CodeMirror's own words
  "$ unchanged lines": "$ linhas sem mudança",
  Find: "Encontrar",
  next: "próxima",
  previous: "anterior",
  all: "todas",
  "match case": "diferenciar maiúsculas",
  regexp: "expressão regular",
  "by word": "palavra inteira",
  Replace: "Substituir",
  replace: "substituir",
  "replace all": "substituir todas",
  close: "fechar",
  "current match": "resultado atual",
  "on line": "na linha",
  "Go to line": "Ir para a linha",
  go: "ir",
  "Sharing paused": "Compartilhamento pausado",
  "Agents receive nothing about your files until you resume sharing.":
    "Os agentes não recebem nada sobre seus arquivos até que você retome o compartilhamento.",
  "Pause sharing": "Pausar o compartilhamento",
  "Resume sharing": "Retomar o compartilhamento",
  "read only · sharing is paused": "somente leitura · compartilhamento pausado",
  "read only · not shared with agents": "somente leitura · não compartilhado com agentes",
  "It is excluded, by its name or by git. Agents do not receive its name, cursor or selection.":
    "Ele está excluído, pelo nome ou pelo git. Os agentes não recebem seu nome, cursor nem seleção.",
  "Not shared with agents": "Não compartilhados com agentes",
  // what the companion says
  accepted: "aceita",
  "accepted with your edits": "aceita com suas edições",
  "accepted and written by $1": "aceita e gravada por $1",
  "accepted and written by $1 with your edits": "aceita e gravada por $1 com suas edições",
  rejected: "rejeitada",
  "rejected by $1": "rejeitada por $1",
  "decided in the terminal": "decidida no terminal",
  "replaced by a newer proposal": "substituída por uma proposta mais nova",
  "its CLI went away": "sua CLI foi embora",
  "This change has already been decided elsewhere.": "Esta mudança já foi decidida em outro lugar.",
  "This change has already been decided elsewhere. Your text is among the recovered edits.":
    "Esta mudança já foi decidida em outro lugar. O seu texto está entre as edições recuperadas.",
  "Its agent is deciding this change at this moment.": "O agente está decidindo esta mudança neste momento.",
  "The text has changed in another tab in this moment. Look at it once more, then accept it.":
    "O texto acabou de mudar em outra aba. Olhe-o mais uma vez e então aceite.",
  "This change is not waiting for review any more.": "Esta mudança não espera mais revisão.",
  "the companion stopped": "o companion parou",
  "Comparing $1 of text …": "Comparando $1 de texto …",
  "Large file with many changes: they are shown in one column, as two take too long to align.":
    "Arquivo grande com muitas mudanças: elas aparecem em uma coluna, pois alinhar duas demoraria demais.",
  "$1 of $2": "$1 de $2",
  "No match": "Nenhum resultado",
  "Next match": "Próximo resultado",
  "Previous match": "Resultado anterior",
  "Search and replace while editing": "Localizar e substituir durante a edição",
  Image: "Imagem",
  "Show as a picture": "Mostrar como imagem",
  "Hide the picture": "Ocultar a imagem",
  "On disk": "Em disco",
  "This image is too large to be shown: $1, the limit is $2.":
    "Esta imagem é grande demais para ser mostrada: $1, o limite é $2.",
  "The browser cannot show this image.": "O navegador não pode mostrar esta imagem.",
  "Comment on line $1": "Comentário na linha $1",
  "Comment on lines $1–$2": "Comentário nas linhas $1–$2",
  "What should be different?": "O que deveria ser diferente?",
  Done: "Pronto",
  Edit: "Editar",
  Delete: "Excluir",
  "1 comment": "1 comentário",
  "$1 comments": "$1 comentários",
  "$1 receives them with your decision": "$1 os recebe com a sua decisão",
  "Reject and say why": "Rejeitar e dizer por quê",
  "Accept and ask for more": "Aceitar e pedir mais",
  "Comment on the selected lines": "Comentar as linhas selecionadas",
  "Comment on the selected lines, also while editing":
    "Comentar as linhas selecionadas, também durante a edição",
  "Comments that wait": "Comentários à espera",
  "Put into the prompt": "Pôr no prompt",
  "Your comments are in the clipboard: paste them into the agent’s prompt.":
    "Seus comentários estão na área de transferência: cole-os no prompt do agente.",
  "The prompt of $1 cannot be reached. Your comments are in the clipboard: paste them there.":
    "O prompt de $1 não está acessível. Seus comentários estão na área de transferência: cole-os lá.",
  "The prompt of $1 cannot be reached. Your comments wait in the companion panel.":
    "O prompt de $1 não está acessível. Seus comentários esperam no painel do companion.",
  "Your comments are in the prompt of $1: press Enter there to send them.":
    "Seus comentários estão no prompt de $1: pressione Enter lá para enviá-los.",
  "$1 has your comments.": "$1 recebeu seus comentários.",
  "$1 has not received your comments. They wait in the companion panel.":
    "$1 não recebeu seus comentários. Eles esperam no painel do companion.",
  "No agent’s prompt can be reached: copy your comments instead.":
    "Nenhum prompt de agente está acessível: copie seus comentários.",
  "The prompt of $1 could not be reached.": "O prompt de $1 não pôde ser acessado.",
  "You decided without sending your comments.": "Você decidiu sem enviar seus comentários.",
  "$1 closed the change, as when you decide in its terminal.":
    "$1 fechou a mudança, como quando você decide no terminal dele.",
  "The companion ended before the agent had your comments.":
    "O companion terminou antes que o agente recebesse seus comentários.",
  "The companion stopped before the agent had your comments.":
    "O companion parou antes que o agente recebesse seus comentários.",
};
