;;; decision-test.el --- Accepting and rejecting -*- lexical-binding: t; -*-

;;; Commentary:

;; What the user's decision does, and what becomes of what was typed.

;;; Code:

(require 'fixture)

(dolist (keys '("C-c C-c" "C-x C-s" "M-x save-buffer RET" "M-x basic-save-buffer RET"))
  (eval
   `(ide-companion-deftest ,(concat keys " accepts with what was typed, and brings the user back")
      (let ((window (selected-window)))
        (ide-companion-test-propose :newContent "one\n2" :original "one\n")
        (ide-companion-next-proposal)
        (ide-companion-test-keys (concat "M-> !" " " ,keys))
        (should (equal (ide-companion-test-accepted) '("one\n2!")))
        (should-not (ide-companion-test-rejected))
        (should (eq window (selected-window)))
        (should (equal (ide-companion-test-layout) '("*scratch*")))
        (should-not (cl-find "Gemini CLI" (buffer-list)
                             :test #'string-search :key #'buffer-name))))
   t))

(dolist (keys '("C-c C-k" "C-x k RET"))
  (eval
   `(ide-companion-deftest ,(concat keys " rejects")
      (ide-companion-test-propose)
      (ide-companion-next-proposal)
      (ide-companion-test-keys ,keys)
      (should (equal (ide-companion-test-rejected) '("1")))
      (should (equal (ide-companion-test-layout) '("*scratch*"))))
   t))

(ide-companion-deftest "C-x k rejects also in the window of the file on disk, and closes both"
  (let* ((ide-companion-diff-layout 'side-by-side)
         (proposal (ide-companion-test-propose)))
    (ide-companion-next-proposal)
    (insert "mine ")
    (select-window (get-buffer-window (ide-companion--proposal-base proposal)))
    (ide-companion-test-keys "C-x k RET")
    (should (equal (ide-companion-test-rejected) '("1")))
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (should-not (buffer-live-p (ide-companion--proposal-buffer proposal)))
    (should (equal (car ide-companion-test-said)
                   "Rejected: main.js. Your edits are saved in buffer *Your edits: main.js*."))))

(dolist (keys '("C-c C-k" "C-x k RET"))
  (eval
   `(ide-companion-deftest ,(concat "what was typed outlives a rejection by " keys)
      (ide-companion-test-propose)
      (ide-companion-next-proposal)
      (ide-companion-test-keys (concat "M-> mine RET " ,keys))
      (should (equal (ide-companion-test-rejected) '("1")))
      (should (equal (with-current-buffer "*Your edits: main.js*" (buffer-string)) "one\n2\nthree\nmine\n"))
      (should (equal (car ide-companion-test-said)
                     "Rejected: main.js. Your edits are saved in buffer *Your edits: main.js*.")))
   t))

(pcase-dolist (`(,decide ,answer ,message)
               '((ide-companion-accept (:taken t) "Accepted: a.txt.")
                 (ide-companion-accept (:taken :json-false :reason "Too late.")
                                       "Too late. Your edits are saved in buffer *Your edits: a.txt*.")
                 (ide-companion-reject (:taken t)
                                       "Rejected: a.txt. Your edits are saved in buffer *Your edits: a.txt*.")))
  (eval
   `(ide-companion-deftest ,(format "a proposal that is killed before the answer to `%s' ends with: %s" decide message)
      (let ((ide-companion-test-result ',answer)
            (path (ide-companion-test-file "a.txt" "old\n")))
        (find-file path) ; which is reverted
        (ide-companion-test-propose :filePath path :label "a.txt" :newContent "new\n" :original "old\n")
        (with-current-buffer "*Gemini CLI: a.txt*"
          (insert "mine ")
          (,decide)
          (kill-buffer))
        (ide-companion-test-until (lambda () (equal (car ide-companion-test-said) ,message)))
        (ide-companion-test-settle)
        (when (get-buffer "*Your edits: a.txt*")
          (should (equal (with-current-buffer "*Your edits: a.txt*" (buffer-string)) "mine new\n")))))
   t))

(ide-companion-deftest "a file that is narrowed stays so when its agent has written it"
  (let ((path (ide-companion-test-file "a.txt" "one\ntwo\nthree\nfour\n")))
    (find-file path)
    (narrow-to-region (progn (goto-char (point-min)) (forward-line 2) (point)) (point-max))
    (ide-companion-test-propose :filePath path :label "a.txt" :newContent "one\n2\nTWO\nthree\nfour\n"
                                :original "one\ntwo\nthree\nfour\n")
    (ide-companion-accept)
    (ide-companion-test-file "a.txt" "one\n2\nTWO\nthree\nfour\n")
    (let ((buffer (get-file-buffer path)))
      (ide-companion-test-until
       (lambda () (with-current-buffer buffer
                    (save-restriction
                      (widen)
                      (string-search "TWO" (buffer-string))))))
      (should (equal (with-current-buffer buffer (buffer-string)) "three\nfour\n")))))

(ide-companion-deftest "a decision that does not count leaves the diff open, and a message says why"
  (let ((ide-companion-test-result '(:taken :json-false :reason "Too late.")))
    (ide-companion-test-propose)
    (ide-companion-accept)
    (ide-companion-test-settle)
    (should (member "Too late." ide-companion-test-said))
    (should (= 1 (length ide-companion--proposals)))
    (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: main.js*")))))

(dolist (end '(ide-companion-accept ide-companion-reject (ide-companion--close '(:id "1" :reason "agent"))))
  (eval
   `(ide-companion-deftest ,(format "what would be lost cannot be typed after %s" end)
      (let ((busy t))
        (cl-letf* ((calm (symbol-function 'ide-companion--calm-p))
                   ((symbol-function 'ide-companion--calm-p) (lambda () (and (not busy) (funcall calm)))))
          (ide-companion--open (list :id "1" :agent "Gemini CLI" :filePath "/app/main.js" :label "main.js"
                                     :newContent "new\n" :original "old\n" :notes []))
          (with-current-buffer "*Gemini CLI: main.js*"
            (insert "mine ")
            ,(if (symbolp end) (list end) end)
            (should-error (insert "lost ") :type 'buffer-read-only) ; before the program's answer
            (ide-companion-test-until (lambda () (null ide-companion--proposals)))
            (should-error (insert "lost ") :type 'buffer-read-only))
          (setq busy nil)
          (ide-companion--do-later)
          (should-not (get-buffer "*Gemini CLI: main.js*")))))
   t))

(ide-companion-deftest "a proposal is edited further when its decision does not count"
  (let ((ide-companion-test-result '(:taken :json-false :reason "Too late.")))
    (ide-companion-test-propose :newContent "new\n")
    (ide-companion-next-proposal)
    (ide-companion-test-keys "mine SPC C-c C-c")
    (ide-companion-test-keys "more SPC")
    (should (equal (buffer-string) "mine more new\n"))))

(ide-companion-deftest "a proposal is edited further when the program dies before it answers"
  (ide-companion-test-propose :newContent "new\n")
  (ide-companion-next-proposal)
  (insert "mine ")
  (ide-companion-accept)
  (ide-companion--orphan)
  (insert "more ")
  (should (equal (buffer-string) "mine more new\n")))

(provide 'decision-test)
;;; decision-test.el ends here
