;;; list-test.el --- Several proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; The list of them, and decisions about several at once.

;;; Code:

(require 'fixture)

(defun ide-companion-test-list (&optional answer)
  "List three proposals, of which the user has edited the second.
The questions are answered with ANSWER, and are among the messages."
  (dolist (id '("1" "2" "3"))
    (ide-companion-test-propose :id id :label (concat id ".js") :newContent "one\n2\nthree\n4\n"))
  (with-current-buffer "*Gemini CLI: 2.js*" (insert "mine\n"))
  (setq ide-companion-test-texts
        '(("1" . "+2 -1, 1 of 3") ("2" . "+3 -1, 2 of 3, ahead, edited by you") ("3" . "+2 -1, 3 of 3, ahead")))
  (fset 'y-or-n-p (lambda (question) (push question ide-companion-test-said) answer))
  (ide-companion-proposals)
  (ide-companion-test-settle))

(defun ide-companion-test-asks (action question effect)
  "Let the program answer ACTION with a QUESTION first, and then with EFFECT."
  (push (cons action (append (list :ask (list :question question :yes "Yes")) effect))
        ide-companion-test-effects))

(defmacro ide-companion-test-listed (answer &rest body)
  "Run BODY in a list of three proposals, with ANSWER to each question."
  (declare (indent 1))
  `(let ((original (symbol-function 'y-or-n-p)))
     (unwind-protect (progn (ide-companion-test-list ,answer) ,@body)
       (fset 'y-or-n-p original))))

(ide-companion-deftest "a list shows what the program says of what waits, and is up to date"
  (ide-companion-test-listed t
    (should (equal (buffer-name (window-buffer)) "*ide-companion waiting*"))
    (should (equal (mapcar #'car (last ide-companion-test-sent 2)) '(:companion/draft :companion/list)))
    (should (string-match-p (concat "\\` *1\\.js +Gemini CLI +[0-9: -]+ \\+2 -1, 1 of 3 *\n"
                                    " *2\\.js +Gemini CLI +[0-9: -]+ \\+3 -1, 2 of 3, ahead, edited by you *\n"
                                    " *3\\.js +Gemini CLI +[0-9: -]+ \\+2 -1, 3 of 3, ahead *\n\\'")
                            (buffer-string)))
    (should (equal (car ide-companion-test-said)
                   "RET visits, a accepts, k rejects, r accepts its agent's, t accepts its turn"))
    (goto-char (point-max))
    (forward-line -1)
    (ide-companion--close '(:id "1"))
    (ide-companion-test-propose :id "4" :label "4.js")
    (setq ide-companion-test-texts '(("2" . "+3 -1, 2 of 4") ("3" . "+2 -1, 3 of 4") ("4" . "+1 -1, 4 of 4")))
    (ide-companion--set-status '(:port 1 :line ""))
    (ide-companion-test-until (lambda () (string-search "4.js" (buffer-string))))
    (should-not (string-search "1.js" (buffer-string)))
    (should (looking-at " *3\\.js"))))

(ide-companion-deftest "from the list one goes to a proposal"
  (ide-companion-test-listed t
    (ide-companion-test-keys "M-< C-n RET")
    (should (equal (buffer-name (window-buffer)) "*Gemini CLI: 2.js*"))))

(ide-companion-deftest "the proposal at point is decided without a question"
  (ide-companion-test-listed nil
    (setq ide-companion-test-said nil)
    (push '("reject" . (:decide (:accept :json-false :ids ["2"]))) ide-companion-test-effects)
    (push '("accept" . (:decide (:accept t :ids ["1"]))) ide-companion-test-effects)
    (ide-companion-test-keys "M-< C-n k")
    (should (equal (ide-companion-test-rejected) '("2")))
    (ide-companion-test-keys "M-< a")
    (should (equal (length (ide-companion-test-accepted)) 1))
    (should (equal (mapcar (lambda (params) (plist-get params :id)) (ide-companion-test-sent :companion/act)) '("2" "1")))
    (should-not (seq-find (lambda (text) (string-search "proposals" text)) ide-companion-test-said))))

(ide-companion-deftest "all proposals are accepted after one question"
  (ide-companion-test-listed t
    (ide-companion-test-asks "accept" "Accept 3 proposals?" '(:decide (:accept t :ids ["1" "2" "3"])))
    (ide-companion-test-keys "A")
    (should (equal (ide-companion-test-accepted)
                   '("one\n2\nthree\n4\n" "mine\none\n2\nthree\n4\n" "one\n2\nthree\n4\n")))
    (should-not ide-companion--proposals)))

(ide-companion-deftest "a question that is answered with no decides nothing"
  (ide-companion-test-listed nil
    (ide-companion-test-asks "accept" "Accept 3 proposals?" '(:decide (:accept t :ids ["1" "2" "3"])))
    (ide-companion-test-asks "reject" "Reject 3 proposals?" '(:decide (:accept :json-false :ids ["1" "2" "3"])))
    (ide-companion-test-keys "A K")
    (should-not (ide-companion-test-accepted))
    (should-not (ide-companion-test-rejected))
    (should (member "Reject 3 proposals? " ide-companion-test-said))))

(ide-companion-deftest "one key goes to the next proposal, and one to the previous"
  (dolist (id '("1" "2" "3"))
    (ide-companion-test-propose :id id :label (concat id ".js")))
  (ide-companion-next-proposal)
  (let (visited)
    (dolist (key '("M-n" "M-n" "M-n" "M-p" "M-p"))
      (ide-companion-test-keys key)
      (push (ide-companion--proposal-id ide-companion--proposal) visited))
    (should (equal (nreverse visited) '("2" "3" "1" "3" "2")))))

(ide-companion-deftest "the rest of one agent is accepted after a question, and nothing of another one"
  (ide-companion-test-listed t
    (ide-companion-test-propose :id "4" :label "4.js" :agent "Qwen Code")
    (ide-companion-test-asks "accept-agent" "Accept 3 proposals of Gemini CLI?"
                             '(:decide (:accept t :ids ["1" "2" "3" "9"])))
    (with-current-buffer "*ide-companion waiting*"
      (ide-companion-test-keys "M-< r"))
    (should (equal (plist-get (car (ide-companion-test-sent :companion/act)) :id) "1"))
    (should (equal (length (ide-companion-test-accepted)) 3))
    (should (equal (mapcar #'ide-companion--proposal-id ide-companion--proposals) '("4")))))

(ide-companion-deftest "the rest of a turn is accepted ahead after a question, except for some files, until a command"
  (ide-companion-test-listed t
    (ide-companion-test-asks "accept-ahead" "Accept what Gemini CLI proposes?"
                             '(:message "The rest is accepted" :next "stop-ahead"))
    (ide-companion-test-keys "M-< C-n t *.lock SPC db/ RET")
    (should (equal (ide-companion-test-sent :companion/act)
                   '((:list "waiting" :id "2" :action "accept-ahead" :stopAt ["*.lock" "db/"])
                     (:list "waiting" :id "2" :action "accept-ahead" :stopAt ["*.lock" "db/"] :sure t))))
    (should (member "The rest is accepted  M-x ide-companion-stop-ahead" ide-companion-test-said))
    (push '("stop-ahead" . (:message "You decide about Gemini CLI again.")) ide-companion-test-effects)
    (ide-companion-test-keys "T")
    (should (member "You decide about Gemini CLI again." ide-companion-test-said))))

(ide-companion-deftest "what is accepted ahead is neither announced nor shown, and what waits all the same is"
  (let ((ide-companion--status '(:ahead ["Gemini CLI"])))
    (ide-companion-test-propose :id "1" :label "ahead.js")
    (ide-companion--close '(:id "1" :reason "agent"))
    (ide-companion-test-propose :id "2" :label "waits.js")
    (should-not ide-companion-test-said)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (ide-companion-test-until (lambda () ide-companion-test-said))
    (ide-companion-test-settle)
    (should (equal ide-companion-test-said '("Gemini CLI proposes waits.js")))
    (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: waits.js*")))))

(provide 'list-test)
;;; list-test.el ends here
